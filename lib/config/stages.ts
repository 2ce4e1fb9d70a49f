/** Stages: the settings of each deployment of the service. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';

/** The settings that differ between deployments. */
export interface Stage {
  readonly name: string;
  /** Base URL for clients, without a trailing slash. The default is API Gateway's URL. */
  readonly baseUrl?: string;
  /** Private addresses that webhooks and SFTP may reach. Only the local stage allows loopback. */
  readonly privateTargets: 'none' | 'loopback';
  /** Requests per second of an account, on average over some seconds. */
  readonly accountRequestsPerSecond: number;
  /** Minimum time between two moments of a timeline. */
  readonly momentIntervalSeconds: number;
  /** Whether to deploy an SFTP server. In AWS the server costs money per hour. */
  readonly sftp: boolean;
  /** Maximum clock skew between functions, and maximum delay of a write in transit. */
  readonly clockMarginSeconds: number;
  /** Tables, buckets and keys survive the deletion of the stacks, and the table refuses its deletion. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  /** Whether functions reserve concurrency. The quota of a new AWS account is too small for any reservation. */
  readonly reserveConcurrency: boolean;
  /** Request units per second that the table serves from the start. The default of a new table is 12,000 and 4,000. */
  readonly warmThroughput?: { readonly readUnits: number; readonly writeUnits: number };
  /**
   * Sender of mails about exports. SES must have verified its domain. Without a sender, the service sends no such mail.
   */
  readonly senderEmail?: string;
  /** Mail address for alarms. */
  readonly alarmEmail?: string;
}

const common = {
  privateTargets: 'none',
  // A tenth of the gateway's limit.
  accountRequestsPerSecond: 200,
  momentIntervalSeconds: 3_600,
  clockMarginSeconds: 60,
  sftp: true,
  reserveConcurrency: false,
} as const;

const stages: Readonly<Record<string, Stage>> = {
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

/** An invalid setting. The message is one sentence for the user. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}$/, 'must be a number of seconds'),
  v.toNumber(),
  v.integer(),
  v.minValue(1, 'must be at least 1'),
);

const requests = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a number of requests'),
  v.toNumber(),
  v.minValue(1, 'must be at least 1'),
);

const emailAddress = v.pipe(v.string(), v.regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address'));

const Settings = v.strictObject({
  baseUrl: v.optional(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+$/, 'must be an origin, https://host')),
  ),
  momentIntervalSeconds: v.optional(seconds),
  accountRequestsPerSecond: v.optional(requests),
  allowPrivateTargets: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
  sftp: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
  reserveConcurrency: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
  alarmEmail: v.optional(emailAddress),
  senderEmail: v.optional(emailAddress),
});
type Settings = v.InferOutput<typeof Settings>;

const known = Object.keys(Settings.entries);

const settingsOf = (context: Readonly<Record<string, unknown>>): Settings => {
  const unknown = Object.keys(context).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new ConfigurationError(
      `Unknown setting ${unknown.join(', ')}: expected one of ${known.join(', ')}.`,
    );
  }

  const parsed = v.safeParse(Settings, context);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new ConfigurationError(`Setting ${v.getDotPath(issue) ?? ''} ${issue.message}.`);
};

const checkStage = (stage: Stage, settings: Settings): void => {
  if (stage.name === 'local') {
    if (settings.sftp === 'false') {
      throw new ConfigurationError(
        'The setting sftp is only for stages in AWS. The local stage always has SFTP.',
      );
    }
    return;
  }
  if (settings.allowPrivateTargets === 'true')
    throw new ConfigurationError('The setting allowPrivateTargets is only for the stage local.');

  if (settings.baseUrl?.startsWith('http:') === true)
    throw new ConfigurationError(`Setting baseUrl must begin with https: in the stage ${stage.name}.`);
};

/**
 * The stage of a name. `context` (CDK context, all text) overrides its settings. @throws ConfigurationError for an
 * unknown stage or setting, or a value out of range.
 */
export const resolveStage = (name: string, context: Readonly<Record<string, unknown>>): Stage => {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage === undefined)
    throw new ConfigurationError(`Unknown stage ${name}: expected one of ${Object.keys(stages).join(', ')}.`);

  const settings = settingsOf(context);
  checkStage(stage, settings);
  const { allowPrivateTargets, baseUrl, alarmEmail, senderEmail, momentIntervalSeconds } = settings;
  const { sftp, reserveConcurrency, accountRequestsPerSecond } = settings;
  return {
    ...stage,
    ...(allowPrivateTargets === 'true' && { privateTargets: 'loopback' }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(alarmEmail !== undefined && { alarmEmail }),
    ...(sftp !== undefined && { sftp: sftp === 'true' }),
    ...(reserveConcurrency !== undefined && { reserveConcurrency: reserveConcurrency === 'true' }),
    ...(senderEmail !== undefined && { senderEmail }),
    ...(momentIntervalSeconds !== undefined && { momentIntervalSeconds }),
    ...(accountRequestsPerSecond !== undefined && { accountRequestsPerSecond }),
  };
};
