import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';

/** What differs between deployments of the service. */
export interface Stage {
  readonly name: string;
  /** Address that clients use; without it, the address API Gateway gives. No trailing slash. */
  readonly baseUrl?: string;
  /** Which private addresses webhooks and SFTP may reach. Loopback only ever on one machine. */
  readonly privateTargets: 'none' | 'loopback';
  /** Requests that an account may send a second, on average over some seconds. */
  readonly accountRequestsPerSecond: number;
  /** Least time between two moments of a timeline. */
  readonly momentIntervalSeconds: number;
  /** Whether there is an SFTP server; in AWS it costs by the hour. */
  readonly sftp: boolean;
  /** By how much clocks of functions may differ, and a write that was sent may linger. */
  readonly clockMarginSeconds: number;
  /** Tables, buckets and keys outlive the stacks, and the table refuses deletion. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  /** Whether functions get their reserved concurrency; a new AWS account has too little to reserve any. */
  readonly reserveConcurrency: boolean;
  /** Request units a second the table serves from the start; without it, a new table's 12,000 and 4,000. */
  readonly warmThroughput?: { readonly readUnits: number; readonly writeUnits: number };
  /** Address that mail about exports is sent from; its domain is verified in SES. None is sent without it. */
  readonly senderEmail?: string;
  /** Address that alarms are mailed to. */
  readonly alarmEmail?: string;
}

const common = {
  privateTargets: 'none',
  // A tenth of what the gateway lets pass.
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
    // More than one machine answers, so that nobody meets it by accident.
    accountRequestsPerSecond: 2_000,
    // One machine, one clock.
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
    // A new row costs 4 to 5 write units: about 4,000 rows a second from the first minute on.
    warmThroughput: { readUnits: 20_000, writeUnits: 20_000 },
  },
};

/** A setting that was refused; the message is one sentence for whoever gave it. */
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
  if (unknown.length > 0)
    throw new ConfigurationError(`Unknown setting ${unknown.join(', ')}: known are ${known.join(', ')}.`);

  const parsed = v.safeParse(Settings, context);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new ConfigurationError(`Setting ${v.getDotPath(issue) ?? ''} ${issue.message}.`);
};

const checkStage = (stage: Stage, settings: Settings): void => {
  if (stage.name === 'local') {
    if (settings.sftp === 'false')
      throw new ConfigurationError('Setting sftp is for stages in AWS: on one machine SFTP is always there.');
    return;
  }
  if (settings.allowPrivateTargets === 'true')
    throw new ConfigurationError('Setting allowPrivateTargets is for the stage local alone.');

  if (settings.baseUrl?.startsWith('http:') === true)
    throw new ConfigurationError(`Setting baseUrl must begin with https: in the stage ${stage.name}.`);
};

/**
 * The stage of a name, with the settings of `context` (CDK context, all text) laid over it.
 * @throws ConfigurationError for an unknown stage or setting, or a value out of its range.
 */
export const resolveStage = (name: string, context: Readonly<Record<string, unknown>>): Stage => {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (stage === undefined)
    throw new ConfigurationError(`Unknown stage ${name}: known are ${Object.keys(stages).join(', ')}.`);

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
