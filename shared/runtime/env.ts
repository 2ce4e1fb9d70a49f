/**
 * Environment: the variables that the stacks set on functions, by the access and settings of a manifest entry.
 */
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
  runExport: 'RUN_EXPORT_WORKFLOW_ARN',
  deliverExport: 'DELIVER_EXPORT_WORKFLOW_ARN',
  sender: 'SENDER_EMAIL',
} as const;
export type ResourceName = keyof typeof resources;

/** Settings of the stage that a function may read, and the environment variable of each. */
export const settings = {
  baseUrl: 'BASE_URL',
  privateTargets: 'PRIVATE_TARGETS',
  momentInterval: 'MOMENT_INTERVAL_SECONDS',
  accountRate: 'ACCOUNT_REQUESTS_PER_SECOND',
  exportRunsArn: 'EXPORT_RUNS_QUEUE_ARN',
  uploadsBucket: 'UPLOADS_BUCKET',
  sftpRole: 'SFTP_ROLE_ARN',
  senderEmail: 'SENDER_EMAIL',
  clockMargin: 'CLOCK_MARGIN_SECONDS',
} as const;
export type SettingName = keyof typeof settings;

/** Variables that the stacks set on a function, by the access and settings of its manifest entry. */
export type EnvName = (typeof resources)[ResourceName] | (typeof settings)[SettingName];

/**
 * Reads a variable of the function's environment. Throws when it is missing or empty: a function that uses a
 * variable its manifest entry does not name must fail at its first request, in every stage.
 */
export const env = (name: EnvName): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment: ${name} is not set`);
  return value;
};

/** Name of the running Lambda function, for the log; `local` outside of Lambda (tests). */
export const functionName = (): string => process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? 'local';
