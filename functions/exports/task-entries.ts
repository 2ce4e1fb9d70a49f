/**
 * Task entries: the tasks that run exports, in a workflow or on a schedule; `delivery-entries.ts` has
 * those of deliveries.
 */
import { taskFunction, entry } from '../entry.ts';

export const planExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/plan-export',
  summary: 'Freeze the members of an export and cut them into shards',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: {
    table: ['read', 'query', 'insert', 'update'],
    work: ['put'],
    exports: ['get', 'list', 'put'],
    propertyKey: ['generate'],
  },
  settings: ['exportJobsAtOnce'],
  alarm: { severity: 'ticket', impact: 'Exports fail before their first row' },
}));

export const writeExportPart = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/write-part',
  summary: 'Write the rows of one shard as a sealed part',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: {
    table: ['read', 'query', 'insert'],
    work: ['put'],
    exports: ['get'],
    propertyKey: ['decrypt'],
  },
  alarm: { severity: 'ticket', impact: 'Exports fail while their rows are read' },
}));

export const assembleExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  memoryMb: 1769,
  source: 'exports/assemble-export',
  summary: 'Join the parts of an export into its file, in several calls if need be',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: {
    table: ['read', 'query', 'insert', 'update'],
    work: ['get', 'list', 'put'],
    exports: ['put'],
    propertyKey: ['decrypt'],
  },
  alarm: { severity: 'ticket', impact: 'Exports fail at their last step' },
}));

export const failExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/fail-export',
  summary: 'Mark an export job as failed, with the reason',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: { table: ['read', 'update'] },
  alarm: { severity: 'ticket', impact: 'Failed exports look as if they were still running' },
}));
