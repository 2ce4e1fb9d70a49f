/** Task entries: the functions of imports behind queues and in the workflow of a file. */
import { taskFunction, entry } from '../entry.ts';

export const startImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/start-import',
  summary: 'Create a job for each file that has arrived, and start its workflow once',
  timeoutSeconds: 60,
  trigger: { kind: 'queue', queue: 'fileEvents', batchSize: 10, maxConcurrency: 5 },
  access: {
    table: ['read', 'insert', 'update', 'increment'],
    uploads: ['get', 'list', 'delete'],
    importFile: ['start'],
    credentials: ['read'],
    auditLog: ['insert'],
  },
  alarm: { severity: 'page', impact: 'Uploaded files are not processed' },
}));

export const reconcileDrops = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/reconcile-drops',
  summary: 'Start the jobs of SFTP files whose events were lost',
  timeoutSeconds: 300,
  trigger: { kind: 'schedule', expression: 'rate(1 hour)' },
  access: {
    table: ['read', 'insert', 'update', 'increment'],
    uploads: ['get', 'list', 'delete'],
    importFile: ['start'],
    auditLog: ['insert'],
  },
  alarm: { severity: 'ticket', impact: 'SFTP files whose events were lost are not processed' },
}));

export const inspectFile = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/inspect-file',
  summary: 'Check encoding, header and columns of an uploaded file; expand a compressed one',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: {
    table: ['read', 'update'],
    uploads: ['get', 'list'],
    work: ['get', 'put'],
  },
  alarm: { severity: 'ticket', impact: 'File imports fail before their first row' },
}));

export const splitFile = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  memoryMb: 1769,
  source: 'imports/split-file',
  summary: 'Judge the rows of a file, split it into batches at row boundaries and queue them',
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: {
    table: ['read', 'query', 'insert', 'update'],
    uploads: ['get', 'list'],
    work: ['get', 'put'],
    importBatches: ['send'],
  },
  alarm: { severity: 'ticket', impact: 'File imports stop before their rows are read' },
}));

export const importBatch = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
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
  access: {
    // A pointer from a name ends when the name changes.
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    uploads: ['get', 'list'],
    work: ['get', 'put', 'list'],
    drains: ['send'],
    enrichments: ['send'],
    propertyKey: ['decrypt'],
  },
  settings: ['deflateProfiles'],
  alarm: { severity: 'page', impact: 'Accepted rows are not stored' },
}));

export const settleImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/settle-import',
  summary: 'Check whether the effects of all batches of a job are visible, and finish the job',
  timeoutSeconds: 300,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'put'],
    drains: ['send'],
  },
  alarm: { severity: 'ticket', impact: 'Imports never become complete' },
}));

export const undoImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  memoryMb: 1769,
  source: 'imports/undo-import',
  summary: 'Remove the values of an import job, one range of people after the other',
  trigger: { kind: 'workflow', workflow: 'undoJob' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'put', 'delete', 'increment'],
    work: ['get', 'put', 'list'],
    drains: ['send'],
    propertyKey: ['decrypt'],
  },
  settings: ['deflateProfiles'],
  alarm: { severity: 'ticket', impact: 'Undone imports keep their values' },
}));

export const failImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/fail-import',
  summary: 'Mark a file import as failed, with the reason',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: { table: ['read', 'update'] },
  alarm: { severity: 'ticket', impact: 'Failed imports look as if they were still running' },
}));

export const announceImport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('import'),
  source: 'imports/announce-import',
  summary:
    'Tell the webhook, the address and the SFTP directory of a definition that a file import has ended',
  timeoutSeconds: 300,
  trigger: { kind: 'workflow', workflow: 'importFile' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'increment'],
    uploads: ['put', 'delete'],
    work: ['get', 'list'],
    propertyKey: ['decrypt'],
    credentials: ['read'],
    sender: ['send'],
  },
  settings: ['baseUrl', 'privateTargets', 'console'],
  alarm: { severity: 'ticket', impact: 'Clients are not told that their file imports have ended' },
}));
