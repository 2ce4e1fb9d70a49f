/** Environment: the variables that the stacks set on functions, by the access and settings of a manifest entry. */
/** Resources of the stacks that a function may reach. Each one sets the environment variable beside it. */
export const resources = {
  table: 'TABLE_NAME',
  credentials: 'CREDENTIALS_TABLE_NAME',
  rates: 'RATES_TABLE_NAME',
  auditLog: 'AUDIT_LOG_TABLE_NAME',
  uploads: 'UPLOADS_BUCKET',
  work: 'WORK_BUCKET',
  exports: 'EXPORTS_BUCKET',
  importBatches: 'IMPORT_BATCHES_QUEUE_URL',
  drains: 'DRAINS_QUEUE_URL',
  fileEvents: 'FILE_EVENTS_QUEUE_URL',
  enrichments: 'ENRICHMENTS_QUEUE_URL',
  exportRuns: 'EXPORT_RUNS_QUEUE_URL',
  exportSchedules: 'EXPORT_SCHEDULES_GROUP',
  exportSchedulesRole: 'EXPORT_SCHEDULES_ROLE_ARN',
  propertyKey: 'PROPERTY_KEY_ID',
  importFile: 'IMPORT_FILE_WORKFLOW_ARN',
  undoJob: 'UNDO_JOB_WORKFLOW_ARN',
  runExport: 'RUN_EXPORT_WORKFLOW_ARN',
  deliverExport: 'DELIVER_EXPORT_WORKFLOW_ARN',
  sender: 'SENDER_EMAIL',
  destinationRoles: 'DESTINATION_ROLES_ARN',
  // One list names the dead letters, the queues from which they came, and the logs of the consumers.
  deadLetters: 'DEAD_LETTERS',
  workQueues: 'DEAD_LETTERS',
  consumerLogs: 'DEAD_LETTERS',
} as const;
export type ResourceName = keyof typeof resources;

/** Settings of the stage that a function may read, and the environment variable of each. */
export const settings = {
  baseUrl: 'BASE_URL',
  privateTargets: 'PRIVATE_TARGETS',
  momentInterval: 'MOMENT_INTERVAL_SECONDS',
  accountRate: 'ACCOUNT_REQUESTS_PER_SECOND',
  exportRunsArn: 'EXPORT_RUNS_QUEUE_ARN',
  exportJobsAtOnce: 'EXPORT_JOBS_AT_ONCE',
  exportRunsDeadLetters: 'EXPORT_RUNS_DEAD_LETTERS_ARN',
  uploadsBucket: 'UPLOADS_BUCKET',
  sftpRole: 'SFTP_ROLE_ARN',
  senderEmail: 'SENDER_EMAIL',
  clockMargin: 'CLOCK_MARGIN_SECONDS',
  accountArn: 'ACCOUNT_ARN',
  deflateProfiles: 'DEFLATE_PROFILES',
  conditions: 'CONDITIONS',
  console: 'CONSOLE',
  demoAccounts: 'DEMO_ACCOUNTS',
} as const;
export type SettingName = keyof typeof settings;

/** Variables that the stacks set on a function, by the access and settings of its manifest entry. */
export type EnvName = (typeof resources)[ResourceName] | (typeof settings)[SettingName];

/**
 * Reads a variable of a function's environment. `Name` limits it to some variables: a handler gets the reader of the
 * variables that its manifest entry names, and hands it to the builders of its ports.
 */
export type Env<Name extends EnvName> = (name: Name) => string;

/** The part of a manifest entry that names variables of the environment. */
export interface Declared<To extends ResourceName, Setting extends SettingName> {
  readonly access: { readonly [Name in To]?: unknown };
  readonly settings?: readonly Setting[];
}

/** The variables of some resources and settings. */
export type VariableOf<To extends ResourceName, Setting extends SettingName> =
  (typeof resources)[To] | (typeof settings)[Setting];

/** The reader of the variables that a manifest entry names. */
export type EnvOf<Entry> =
  Entry extends Declared<infer To extends ResourceName, infer Setting extends SettingName>
    ? Env<VariableOf<To, Setting>>
    : never;

/**
 * Reads a variable of the process's environment. Throws when it is missing or empty, so that a function whose stack
 * does not set the variable fails at its first request, in every stage.
 */
export const processEnv: Env<EnvName> = (name) => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment: ${name} is not set`);
  return value;
};

/**
 * Class of the load that a function puts on the tables. `bulk` work yields to a table that throttles; `interactive` work
 * answers a client who waits. The stacks derive the class from the trigger of the function.
 */
export type LoadClass = 'interactive' | 'bulk';

/** The variable that holds the class. */
export const LOAD_CLASS = 'LOAD_CLASS';

/** The class of the running function; interactive outside of Lambda (tests, the command line). */
export const loadClass = (): LoadClass => (process.env[LOAD_CLASS] === 'bulk' ? 'bulk' : 'interactive');

/** Name of the running Lambda function, for the log; `local` outside of Lambda (tests). */
export const functionName = (): string => process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? 'local';
