/** Operations: the IAM actions behind the operations of the ports, by the resource on which they act. */
import type { ResourceName } from '../shared/runtime/env.ts';

const table = {
  /** `get`, `getMany`. */
  read: ['dynamodb:BatchGetItem'],
  query: ['dynamodb:Query'],
  /** Only for a `TableScan`. */
  scan: ['dynamodb:Scan'],
  insert: ['dynamodb:PartiQLInsert'],
  update: ['dynamodb:PartiQLUpdate'],
  delete: ['dynamodb:PartiQLDelete'],
  put: ['dynamodb:PutItem'],
  increment: ['dynamodb:UpdateItem'],
};

const bucket = {
  get: ['s3:GetObject'],
  /** S3 says that an object is missing only to callers that may list the bucket. */
  list: ['s3:ListBucket'],
  put: ['s3:PutObject'],
  delete: ['s3:DeleteObject'],
  listParts: ['s3:ListMultipartUploadParts'],
};

const queue = {
  send: ['sqs:SendMessage'],
  /** The event source mapping receives and deletes; the handler gives back messages or sends copies of them. */
  consume: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ChangeMessageVisibility',
    'sqs:SendMessage',
  ],
};

const workflow = { start: ['states:StartExecution'] };

/** The operations on each resource. */
export const operations = {
  table,
  credentials: table,
  rates: table,
  auditLog: table,
  uploads: bucket,
  work: bucket,
  exports: bucket,
  importBatches: queue,
  drains: queue,
  fileEvents: queue,
  enrichments: queue,
  exportRuns: queue,
  exportSchedules: { create: ['scheduler:CreateSchedule'], delete: ['scheduler:DeleteSchedule'] },
  /** The role under which a schedule sends. */
  exportSchedulesRole: { pass: ['iam:PassRole'] },
  propertyKey: {
    generate: ['kms:GenerateDataKey'],
    encrypt: ['kms:Encrypt'],
    decrypt: ['kms:Decrypt'],
  },
  importFile: workflow,
  undoJob: workflow,
  runExport: workflow,
  deliverExport: workflow,
  sender: { send: ['ses:SendEmail'] },
  destinationRoles: { assume: ['sts:AssumeRole'] },
  deadLetters: {
    look: ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility'],
    settle: ['sqs:PurgeQueue', 'sqs:StartMessageMoveTask', 'sqs:DeleteMessage'],
  },
  workQueues: { send: ['sqs:SendMessage'] },
  consumerLogs: { search: ['logs:FilterLogEvents'] },
} satisfies Record<ResourceName, Readonly<Record<string, readonly string[]>>>;

/** An operation on a resource. */
export type Operation<To extends ResourceName> = keyof (typeof operations)[To];

/** What a function does with each resource that it reaches. */
export type Access<To extends ResourceName = ResourceName> = {
  readonly [Name in To]?: readonly Operation<Name>[];
};
