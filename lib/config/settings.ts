/** Settings: what an operator may set of a stage, and the file that holds it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';

/** An invalid setting. The message is one sentence for the user. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** A setting of a file is JSON. A setting of the CDK context, which the local stage uses, is text. */
const flag = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((text) => text === 'true'),
    ),
  ],
  'must be true or false',
);

const wholeNumber = (unit: string, { least = 1, most = 999_999 } = {}) => {
  const message = `must be a number of ${unit}`;
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,6}$/, message), v.toNumber())], message),
    v.integer(message),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );
};

const text = (form: RegExp, message: string) => v.pipe(v.string(message), v.regex(form, message));

const emailAddress = text(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address');
const tableName = text(/^[\w.-]{3,255}$/, 'must be the name of a table');
const keyArn = text(
  /^arn:aws:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
  'must be the ARN of a key, arn:aws:kms:<region>:<account>:key/<id>',
);

const domainName = v.pipe(
  text(/^[a-z\d.-]{4,253}$/, 'must be a domain name in small letters, such as api.example.org'),
  v.check(
    (name) =>
      name.includes('.') &&
      name.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label)),
    'must be a domain name in small letters, such as api.example.org',
  ),
);
const certificateArn = text(
  /^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
  'must be the ARN of a certificate, arn:aws:acm:<region>:<account>:certificate/<id>',
);

/** The concurrency that SQS can set of a queue's function (Lambda Developer Guide, "Maximum concurrency"). */
const consumers = wholeNumber('executions', { least: 2, most: 1_000 });

const demoAccount = v.strictObject(
  { account: v.string(), client_id: v.string(), username: v.string(), password: v.string() },
  'must have account, client_id, username and password',
);

const Settings = v.strictObject({
  /** Base URL for clients, without a trailing slash. The default is the domain's or, without one, API Gateway's URL. */
  baseUrl: v.exactOptional(text(/^https?:\/\/[^/?#\s]+$/, 'must be an origin, https://host')),
  /** A domain of the operator at which the API answers, too, and the certificate of that domain. */
  domainName: v.exactOptional(domainName),
  certificateArn: v.exactOptional(certificateArn),
  /** Minimum time between two moments of a timeline. */
  momentIntervalSeconds: v.exactOptional(wholeNumber('seconds')),
  /** Requests per second of an account, on average over some seconds. */
  accountRequestsPerSecond: v.exactOptional(wholeNumber('requests', { most: limits.rates.mostOfStage })),
  /** Whether webhooks, enrichers and SFTP may reach this machine. Only in the local stage. */
  allowPrivateTargets: v.exactOptional(flag),
  /** Accounts that the sign-in forms of pages offer by name, with their published passwords. Only in the local stage. */
  demoAccounts: v.exactOptional(
    v.pipe(
      v.union([v.array(v.unknown()), v.pipe(v.string(), v.parseJson())], 'must be a list of accounts'),
      v.array(demoAccount, 'must be a list of accounts'),
    ),
  ),
  /** Whether to deploy an SFTP server. In AWS the server costs money per hour. */
  sftp: v.exactOptional(flag),
  /** The SFTP server of an earlier stack, which this stage uses instead of a new server. */
  sftpServerId: v.exactOptional(text(/^s-[0-9a-f]{17}$/, 'must be the id of a server, s-…')),
  /** Whether functions reserve concurrency. The quota of a new AWS account is too small for any reservation. */
  reserveConcurrency: v.exactOptional(flag),
  /** Whether new code of a route takes over its requests gradually, and goes back while clients get errors. */
  gradualShift: v.exactOptional(flag),
  /** Whether the stage is closed: its functions refuse work, and its queues and schedules keep it. Operators go on. */
  closed: v.exactOptional(flag),
  /**
   * Whether profiles above 1 KB are stored deflated, for a fraction of the write units. Release 0.2.0 cannot read them, so a
   * stage of that release sets it once it will not go back.
   */
  deflateProfiles: v.exactOptional(flag),
  /**
   * Whether clients may create conditions. Release 0.2.0 cannot read a list of segments with one, and leaves its members out,
   * so a stage of that release sets it once it will not go back.
   */
  conditions: v.exactOptional(flag),
  /** Whether the stage has the console, the page for people. */
  console: v.exactOptional(flag),
  /** Requests per second of all clients together, at the gateway. */
  gatewayRequestsPerSecond: v.exactOptional(wholeNumber('requests')),
  /** Executions that each read of one person reserves, which are also its most. Of `reserveConcurrency`. */
  readExecutions: v.exactOptional(wholeNumber('executions')),
  /** Workers that store the rows of files and batches. */
  importExecutions: v.exactOptional(consumers),
  /** Workers that bring the membership index up to date. */
  drainExecutions: v.exactOptional(consumers),
  /** Export jobs of all properties that run at once. */
  exportJobs: v.exactOptional(wholeNumber('jobs')),
  /** Parts that an export job writes at once. Inline maps of Step Functions run at most 40 iterations at once. */
  exportParts: v.exactOptional(wholeNumber('parts', { most: 40 })),
  /**
   * Request units per second that a new table of data serves from the start: its warm throughput. Without, those of every
   * new table, which are also the least.
   */
  warmReadUnits: v.exactOptional(wholeNumber('units', { least: limits.table.newTableReadUnits })),
  warmWriteUnits: v.exactOptional(wholeNumber('units', { least: limits.table.newTableWriteUnits })),
  /** The repository in GitHub whose jobs may deploy the stage, as the subject of its tokens names it. */
  deployRepository: v.exactOptional(
    text(
      /^[\w.-]+(@\d+)?\/[\w.-]+(@\d+)?$/,
      'must be <owner>/<repository>, with or without @<id> behind each',
    ),
  ),
  /** What the stage should cost in a month; `alarmEmail` hears of more, and of sudden rises. */
  monthlyBudgetDollars: v.exactOptional(wholeNumber('dollars')),
  /** Mail address for alarms. */
  alarmEmail: v.exactOptional(emailAddress),
  /**
   * Sender of mails about exports. SES must have verified its domain. Without a sender, the service sends no such mail.
   */
  senderEmail: v.exactOptional(emailAddress),
  /** Names of the tables, where they are not the names that follow from the stage: restored tables have other names. */
  tableName: v.exactOptional(tableName),
  credentialsTableName: v.exactOptional(tableName),
  auditLogTableName: v.exactOptional(tableName),
  /** The key of data at rest of an earlier stack, which this stage uses instead of a new key. */
  dataKeyArn: v.exactOptional(keyArn),
  /** The key of an earlier stack that wraps property keys, which this stage uses instead of a new key. */
  propertyKeyArn: v.exactOptional(keyArn),
  /** Keys of earlier stacks that wrapped property keys in the table. The service only decrypts with them. */
  earlierPropertyKeyArns: v.exactOptional(
    v.pipe(
      v.union(
        [
          v.array(v.string()),
          v.pipe(
            v.string(),
            v.transform((list) => list.split(',')),
          ),
        ],
        'must be a list of ARNs of keys',
      ),
      v.array(keyArn),
    ),
  ),
});

/** What an operator has set of a stage. */
export type Settings = v.InferOutput<typeof Settings>;

/** Section of the metadata of the data stack's template with the settings of the deployment and its environment. */
export const settingsMetadata = 'Tidemark::Settings';

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Settings.entries);

/** Checks settings. @throws ConfigurationError for an unknown setting or a value out of range. */
export const parseSettings = (given: Readonly<Record<string, unknown>>): Settings => {
  const unknown = Object.keys(given).filter((key) => !settingNames.includes(key));
  if (unknown.length > 0) {
    throw new ConfigurationError(
      `Unknown setting ${unknown.join(', ')}: expected one of ${settingNames.join(', ')}.`,
    );
  }
  const parsed = v.safeParse(Settings, given);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new ConfigurationError(`Setting ${v.getDotPath(issue) ?? ''} ${issue.message}.`);
};

/** Name of the file with the settings of a stage. */
export const settingsFileOf = (stage: string): string => `tidemark.${stage}.json`;

/**
 * The settings in the file of a stage; none without a file. @throws ConfigurationError for a file that is no JSON object.
 */
export const readSettings = (folder: string, stage: string): Readonly<Record<string, unknown>> => {
  const file = join(folder, settingsFileOf(stage));
  if (!existsSync(file)) return {};
  const parsed = v.safeParse(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.check((value) => !Array.isArray(value)),
      v.record(v.string(), v.unknown()),
    ),
    readFileSync(file, 'utf8'),
  );
  if (parsed.success) return parsed.output;
  throw new ConfigurationError(`${settingsFileOf(stage)} must be a JSON object of settings.`);
};
