/** Stages: the kinds of deployments of the service, and their defaults. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Ceiling } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { importWorkersFor, writeUnitsOf } from './import-workers.ts';
import { ConfigurationError, parseSettings, type Settings } from './settings.ts';

/** The tag of everything that AWS bills, whose value is the name of the stage. */
export const STAGE_TAG = 'tidemark:stage';

/** Settings that every stage has, with a default of its own. */
type Defaulted =
  | 'momentIntervalSeconds'
  | 'sftp'
  | 'reserveConcurrency'
  | 'gradualShift'
  | 'closed'
  | 'deflateProfiles'
  | 'conditions'
  | 'console'
  | 'gatewayRequestsPerSecond'
  | 'readExecutions'
  | 'drainExecutions'
  | 'exportJobs'
  | 'exportParts';

/** Settings that follow from other settings where nobody sets them. */
type Derived = 'accountRequestsPerSecond' | 'importExecutions';

/** An AWS account and a region of it. */
export interface Environment {
  readonly account: string;
  readonly region: string;
}

/** One deployment of the service: the settings of the operator, and what follows from the kind of the stage. */
export interface Stage
  extends
    Omit<Settings, Defaulted | Derived | 'allowPrivateTargets'>,
    Required<Pick<Settings, Defaulted | Derived>> {
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
  /** Of the logs that have the names of files, which may be personal data. They end with the files. */
  readonly nameLogRetention: RetentionDays;
  /** AWS account and region of the deployment, if the synthesis knows them. */
  readonly environment?: Environment;
}

const common = {
  privateTargets: 'none',
  momentIntervalSeconds: 3_600,
  clockMarginSeconds: 60,
  nameLogRetention: RetentionDays.ONE_MONTH,
  sftp: true,
  reserveConcurrency: false,
  gradualShift: false,
  closed: false,
  deflateProfiles: false,
  conditions: false,
  console: true,
  gatewayRequestsPerSecond: 2_000,
  // At 50 ms, 50 executions answer 1,000 requests a second. All tenants share them.
  readExecutions: 50,
  drainExecutions: 10,
  // A new account runs ten functions at once, and exports leave half of them to the API and to imports.
  exportJobs: 2,
  exportParts: 2,
} as const;

/** A stage before the settings of the operator. */
type StageDefaults = Omit<Stage, 'given' | Derived> & Partial<Pick<Stage, Derived>>;

const stages: Readonly<Record<string, StageDefaults>> = {
  local: {
    ...common,
    name: 'local',
    deflateProfiles: true,
    conditions: true,
    // More than one machine answers, so a developer who relies on one clock notices it here.
    accountRequestsPerSecond: 2_000,
    // A single machine has a single clock.
    clockMarginSeconds: 1,
    keepData: false,
    logRetention: RetentionDays.ONE_WEEK,
    // One machine runs as many functions as it has memory for.
    exportJobs: 40,
    exportParts: 40,
    senderEmail: 'exports@tidemark.example',
  },
  dev: { ...common, name: 'dev', sftp: false, keepData: false, logRetention: RetentionDays.ONE_MONTH },
  prod: {
    ...common,
    name: 'prod',
    keepData: true,
    logRetention: RetentionDays.ONE_YEAR,
    reserveConcurrency: true,
    gradualShift: true,
    // 320 of the 1,000 functions that an account runs at once.
    exportJobs: 8,
    exportParts: 40,
    // Enough for about 6,400 rows per second from the first minute (`limits.imports.writeUnitsPerRow`).
    warmReadUnits: 20_000,
    warmWriteUnits: 20_000,
  },
};

const checkStage = (stage: Pick<Stage, 'name'>, settings: Settings): void => {
  if (stage.name === 'local') {
    if (settings.sftp === false || settings.sftpServerId !== undefined) {
      throw new ConfigurationError(
        'The settings sftp and sftpServerId are only for stages in AWS. The local stage always has a server of its own.',
      );
    }
    if (settings.domainName !== undefined || settings.certificateArn !== undefined) {
      throw new ConfigurationError(
        'The settings domainName and certificateArn are only for stages in AWS: give this machine a baseUrl.',
      );
    }
    if (settings.gradualShift === true) {
      throw new ConfigurationError(
        'The setting gradualShift is only for stages in AWS: here nothing shifts.',
      );
    }
    return;
  }
  if (settings.allowPrivateTargets === true)
    throw new ConfigurationError('The setting allowPrivateTargets is only for the stage local.');

  if (settings.demoAccounts !== undefined)
    throw new ConfigurationError('The setting demoAccounts is only for the stage local.');

  if ((settings.domainName === undefined) !== (settings.certificateArn === undefined))
    throw new ConfigurationError('The settings domainName and certificateArn need each other.');

  if (settings.baseUrl?.startsWith('http:') === true)
    throw new ConfigurationError(`Setting baseUrl must begin with https: in the stage ${stage.name}.`);
};

/** API Gateway takes a certificate of its own account and region alone. */
const checkCertificate = ({ certificateArn }: Settings, { account, region }: Environment): void => {
  if (certificateArn?.startsWith(`arn:aws:acm:${region}:${account}:`) === false) {
    throw new ConfigurationError(
      `Setting certificateArn must be a certificate of account ${account} in ${region}, where the stage is.`,
    );
  }
};

/**
 * The stage of a name, with the settings of the operator in place of its defaults. Settings are JSON or, as CDK context,
 * text. @throws ConfigurationError for an unknown stage or setting, or a value out of range.
 */
export const resolveStage = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  environment?: Environment,
): Stage => {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage === undefined)
    throw new ConfigurationError(`Unknown stage ${name}: expected one of ${Object.keys(stages).join(', ')}.`);

  const settings = parseSettings(given);
  checkStage(stage, settings);
  if (environment !== undefined) checkCertificate(settings, environment);
  const { allowPrivateTargets, ...own } = settings;
  const defaults = { ...stage, ...own };
  return {
    // One account of ten may use all that it may, and the gateway has enough for the others.
    accountRequestsPerSecond: Math.min(
      Math.ceil(defaults.gatewayRequestsPerSecond / 10),
      limits.rates.mostOfStage,
    ),
    importExecutions: importWorkersFor(writeUnitsOf(defaults)),
    ...(settings.domainName !== undefined && { baseUrl: `https://${settings.domainName}` }),
    ...defaults,
    given: settings,
    ...(environment !== undefined && { environment }),
    ...(allowPrivateTargets === true && { privateTargets: 'loopback' }),
  };
};

/** The executions that a ceiling of an entry means in a stage. */
export const ceilingOf = (ceiling: Ceiling, stage: Stage): number =>
  typeof ceiling === 'number' ? ceiling : stage[ceiling];
