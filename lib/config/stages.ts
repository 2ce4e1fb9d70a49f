/** Stages: the kinds of deployments of the service, and their defaults. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ConfigurationError, parseSettings, type Settings } from './settings.ts';

/** Settings that every stage has, with a default of its own. */
type Defaulted =
  'accountRequestsPerSecond' | 'momentIntervalSeconds' | 'sftp' | 'reserveConcurrency' | 'closed';

/** One deployment of the service: the settings of the operator, and what follows from the kind of the stage. */
export interface Stage
  extends Omit<Settings, Defaulted | 'allowPrivateTargets'>, Required<Pick<Settings, Defaulted>> {
  readonly name: string;
  /** The settings of the operator. */
  readonly given: Settings;
  /** Private addresses that webhooks and SFTP may reach. Only the local stage allows loopback. */
  readonly privateTargets: 'none' | 'loopback';
  /** Maximum clock skew between functions, and maximum delay of a write in transit. */
  readonly clockMarginSeconds: number;
  /** Tables, buckets and keys survive the deletion of the stacks, and the table refuses its deletion. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  /** Request units per second that the table serves from the start. The default of a new table is 12,000 and 4,000. */
  readonly warmThroughput?: { readonly readUnits: number; readonly writeUnits: number };
  /** AWS account and region of the deployment, if the synthesis knows them. */
  readonly environment?: { readonly account: string; readonly region: string };
}

const common = {
  privateTargets: 'none',
  // A tenth of the gateway's limit.
  accountRequestsPerSecond: 200,
  momentIntervalSeconds: 3_600,
  clockMarginSeconds: 60,
  sftp: true,
  reserveConcurrency: false,
  closed: false,
} as const;

const stages: Readonly<Record<string, Omit<Stage, 'given'>>> = {
  local: {
    ...common,
    name: 'local',
    // More than one machine answers, so a developer who relies on one clock notices it here.
    accountRequestsPerSecond: 2_000,
    // A single machine has a single clock.
    clockMarginSeconds: 1,
    keepData: false,
    logRetention: RetentionDays.ONE_WEEK,
    senderEmail: 'exports@tidemark.example',
  },
  dev: { ...common, name: 'dev', sftp: false, keepData: false, logRetention: RetentionDays.ONE_MONTH },
  prod: {
    ...common,
    name: 'prod',
    keepData: true,
    logRetention: RetentionDays.ONE_YEAR,
    reserveConcurrency: true,
    // Enough for about 7,400 rows per second from the first minute (`limits.imports.writeUnitsPerRow`).
    warmThroughput: { readUnits: 20_000, writeUnits: 20_000 },
  },
};

const checkStage = (stage: Pick<Stage, 'name'>, settings: Settings): void => {
  if (stage.name === 'local') {
    if (settings.sftp === false || settings.sftpServerId !== undefined) {
      throw new ConfigurationError(
        'The settings sftp and sftpServerId are only for stages in AWS. The local stage always has a server of its own.',
      );
    }
    return;
  }
  if (settings.allowPrivateTargets === true)
    throw new ConfigurationError('The setting allowPrivateTargets is only for the stage local.');

  if (settings.baseUrl?.startsWith('http:') === true)
    throw new ConfigurationError(`Setting baseUrl must begin with https: in the stage ${stage.name}.`);
};

/**
 * The stage of a name, with the settings of the operator in place of its defaults. Settings are JSON or, as CDK context,
 * text. @throws ConfigurationError for an unknown stage or setting, or a value out of range.
 */
export const resolveStage = (name: string, given: Readonly<Record<string, unknown>>): Stage => {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage === undefined)
    throw new ConfigurationError(`Unknown stage ${name}: expected one of ${Object.keys(stages).join(', ')}.`);

  const settings = parseSettings(given);
  checkStage(stage, settings);
  const { allowPrivateTargets, ...own } = settings;
  return {
    ...stage,
    ...own,
    given: settings,
    ...(allowPrivateTargets === true && { privateTargets: 'loopback' }),
  };
};
