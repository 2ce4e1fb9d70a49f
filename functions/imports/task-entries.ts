/** Task entries: the functions of imports behind queues and in the workflow of a file. */
import { queueActions } from '../../shared/runtime/queue-access.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { taskFunction, entry } from '../entry.ts';

export const startImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/start-import',
  summary: 'Create a job for each file that has arrived, and start its workflow once',
  timeoutSeconds: 60,
  trigger: { kind: 'queue', queue: 'fileEvents', batchSize: 10, maxConcurrency: 5 },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.insert, ...table.update, ...table.increment, ...table.put],
    },
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket', 's3:DeleteObject'] },
    { to: 'importFile', actions: ['states:StartExecution'] },
    { to: 'credentials', actions: [...table.read] },
    { to: 'auditLog', actions: [...table.insert] },
    { to: 'fileEvents', actions: [...queueActions.consume] },
  ],
  alarm: { severity: 'page', impact: 'Uploaded files are not processed' },
}));

export const reconcileDrops = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/reconcile-drops',
  summary: 'Start the jobs of SFTP files whose events were lost',
  timeoutSeconds: 300,
  trigger: { kind: 'schedule', expression: 'rate(1 hour)' },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.insert, ...table.update, ...table.increment, ...table.put],
    },
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket', 's3:DeleteObject'] },
    { to: 'importFile', actions: ['states:StartExecution'] },
    { to: 'auditLog', actions: [...table.insert] },
  ],
  alarm: { severity: 'ticket', impact: 'SFTP files whose events were lost are not processed' },
}));

export const inspectFile = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/inspect-file',
  summary: 'Check encoding, header and columns of an uploaded file; expand a compressed one',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.update] },
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket'] },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject'] },
  ],
  alarm: { severity: 'ticket', impact: 'File imports fail before their first row' },
}));

export const splitFile = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  memoryMb: 1769,
  source: 'imports/split-file',
  summary: 'Judge the rows of a file, split it into batches at row boundaries and queue them',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] },
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket'] },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject'] },
    { to: 'importBatches', actions: [...queueActions.send] },
  ],
  alarm: { severity: 'ticket', impact: 'File imports stop before their rows are read' },
}));

export const importBatch = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  memoryMb: 1769,
  source: 'imports/import-batch',
  summary: 'Read, map, validate and store the rows of one batch',
  timeoutSeconds: 300,
  trigger: {
    kind: 'queue',
    queue: 'importBatches',
    batchSize: 1,
    maxConcurrency: 'importExecutions',
    backlog: true,
  },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket'] },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject', 's3:ListBucket'] },
    { to: 'drains', actions: [...queueActions.send] },
    { to: 'enrichments', actions: [...queueActions.send] },
    { to: 'importBatches', actions: [...queueActions.consume] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  alarm: { severity: 'page', impact: 'Accepted rows are not stored' },
}));

export const repairImports = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/repair-imports',
  summary: 'Queue lost batches again, park batches that no worker can finish, and clean undo logs',
  timeoutSeconds: 300,
  trigger: { kind: 'schedule', expression: 'rate(10 minutes)' },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
    { to: 'work', actions: ['s3:ListBucket', 's3:GetObject', 's3:PutObject'] },
    { to: 'importBatches', actions: [...queueActions.send] },
    { to: 'undoJob', actions: ['states:StartExecution'] },
    { to: 'importFile', actions: ['states:StartExecution'] },
  ],
  alarm: { severity: 'ticket', impact: 'Lost batches are never stored, and undo logs keep forgotten people' },
}));

export const settleImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/settle-import',
  summary: 'Check whether the effects of all batches of a job are visible, and finish the job',
  timeoutSeconds: 300,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.update] },
    { to: 'drains', actions: [...queueActions.send] },
  ],
  alarm: { severity: 'ticket', impact: 'Imports never become complete' },
}));

export const undoImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  memoryMb: 1769,
  source: 'imports/undo-import',
  summary: 'Remove the values of an import job, one range of people after the other',
  trigger: { kind: 'workflow', workflow: 'undoJob' },
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
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject', 's3:ListBucket'] },
    { to: 'drains', actions: [...queueActions.send] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  alarm: { severity: 'ticket', impact: 'Undone imports keep their values' },
}));

export const failImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/fail-import',
  summary: 'Mark a file import as failed, with the reason',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [{ to: 'table', actions: [...table.read, ...table.update] }],
  alarm: { severity: 'ticket', impact: 'Failed imports look as if they were still running' },
}));

export const announceImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'imports/announce-import',
  summary:
    'Tell the webhook, the address and the SFTP directory of a definition that a file import has ended',
  timeoutSeconds: 300,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
    { to: 'uploads', actions: ['s3:PutObject', 's3:DeleteObject'] },
    { to: 'work', actions: ['s3:GetObject', 's3:ListBucket'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
    { to: 'credentials', actions: [...table.read] },
    { to: 'sender', actions: ['ses:SendEmail'] },
  ],
  settings: ['baseUrl', 'privateTargets'],
  alarm: { severity: 'ticket', impact: 'Clients are not told that their file imports have ended' },
}));
