import { limits } from '../../lib/config/limits.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, taskFunction, entry } from '../entry.ts';

const importDefinitionAccess = [
  { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
] as const;

export const createImport = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-import',
  summary: 'Create an import definition',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports',
    aliases: 'bare',
    auth: 'token',
    statuses: [201],
  },
  access: importDefinitionAccess,
  impact: 'Clients cannot define imports',
});

export const listImports = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/list-imports',
  summary: 'List import definitions',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports',
    aliases: 'bare',
    auth: 'token',
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
  impact: 'Clients cannot list imports',
});

export const getImport = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/get-import',
  summary: 'Read an import definition',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}',
    aliases: 'bare',
    auth: 'token',
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read] }],
  impact: 'Clients cannot read import definitions',
});

export const createImportJob = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-import-job',
  summary: 'Create an import job for batches of records',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs',
    aliases: 'bare',
    auth: 'token',
    internal: true,
    statuses: [201],
  },
  access: importDefinitionAccess,
  impact: 'Clients cannot start imports by batches',
});

export const listImportJobs = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/list-import-jobs',
  summary: 'List the jobs of an import, newest first',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs',
    aliases: 'bare',
    auth: 'token',
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
  impact: 'Clients cannot list import jobs',
});

export const getImportJob = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/get-import-job',
  summary: 'Status, counts and times of an import job',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}',
    aliases: 'bare',
    auth: 'token',
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read, ...table.query, ...table.update] }],
  impact: 'Clients cannot follow their imports',
});

export const listImportErrors = entry({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/list-import-errors',
  summary: 'Every refused row of an import job, with the reason',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/errors',
    aliases: 'bare',
    auth: 'token',
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'work', actions: ['s3:GetObject'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
  impact: 'Clients cannot see why rows were refused',
});

export const createUpload = entry({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-upload',
  summary: 'Get a pre-signed address to upload a file to',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/uploads',
    aliases: 'bare',
    auth: 'token',
    statuses: [201],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
    { to: 'uploads', actions: ['s3:PutObject'] },
  ],
  impact: 'Clients cannot upload files',
});

export const importData = entry({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/import-data',
  summary: 'Send a batch of records for an import job',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/import-data',
    aliases: 'bare',
    auth: 'token',
    internal: true,
    statuses: [202],
    idempotencyHours: limits.imports.batchIdempotencyDays * 24,
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] },
    { to: 'work', actions: ['s3:PutObject'] },
    { to: 'importBatches', actions: ['sqs:SendMessage'] },
  ],
  impact: 'Clients cannot send batches of records',
});

export const startImport = entry({
  ...taskFunction,
  stack: 'import',
  source: 'imports/start-import',
  summary: 'Make a job of each uploaded file and start its workflow, once',
  timeoutSeconds: 60,
  trigger: { kind: 'queue', queue: 'fileEvents', batchSize: 10 },
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
    { to: 'importFile', actions: ['states:StartExecution'] },
    { to: 'fileEvents', actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'] },
  ],
  impact: 'Uploaded files are not processed',
});

export const inspectFile = entry({
  ...taskFunction,
  stack: 'import',
  source: 'imports/inspect-file',
  summary: 'Check encoding, header and columns of an uploaded file; expand a compressed one',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.update] },
    { to: 'uploads', actions: ['s3:GetObject'] },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'] },
  ],
  impact: 'File imports fail before their first row',
});

export const splitFile = entry({
  ...taskFunction,
  stack: 'import',
  source: 'imports/split-file',
  summary: 'Cut a file into chunks at row boundaries and queue them',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] },
    { to: 'uploads', actions: ['s3:GetObject'] },
    { to: 'work', actions: ['s3:GetObject'] },
    { to: 'importBatches', actions: ['sqs:SendMessage'] },
  ],
  impact: 'File imports stop before their rows are read',
});

export const importBatch = entry({
  ...taskFunction,
  stack: 'import',
  memoryMb: 1769,
  source: 'imports/import-batch',
  summary: 'Read, map, check and store the rows of one batch',
  timeoutSeconds: 300,
  trigger: { kind: 'queue', queue: 'importBatches', batchSize: 1, maxConcurrency: 50 },
  access: [
    {
      to: 'table',
      actions: [
        ...table.read,
        ...table.query,
        ...table.insert,
        ...table.update,
        ...table.delete,
        ...table.increment,
      ],
    },
    { to: 'uploads', actions: ['s3:GetObject'] },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject'] },
    { to: 'drains', actions: ['sqs:SendMessage'] },
    { to: 'importBatches', actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  impact: 'Accepted rows are not stored',
});

export const settleImport = entry({
  ...taskFunction,
  stack: 'import',
  source: 'imports/settle-import',
  summary: 'Say whether all batches of a job are stored and visible, and finish the job',
  timeoutSeconds: 300,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.update] },
    { to: 'drains', actions: ['sqs:SendMessage'] },
  ],
  impact: 'Imports never become complete',
});

export const failImport = entry({
  ...taskFunction,
  stack: 'import',
  source: 'imports/fail-import',
  summary: 'Mark a file import as failed, with the reason',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [{ to: 'table', actions: [...table.read, ...table.update] }],
  impact: 'Failed imports look as if they were still running',
});
