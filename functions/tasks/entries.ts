/** Task entries: the function that looks after all unfinished work. */
import { entry, taskFunction } from '../entry.ts';

/** It has what the looks of all kinds need: see `docs/adr/0023-one-list-of-unfinished-work.md`. */
export const reconcileTasks = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'tasks/reconcile-tasks',
  summary: 'Look after all unfinished work: finish what functions that died have left behind',
  timeoutSeconds: 300,
  trigger: { kind: 'schedule', expression: 'rate(1 minute)' },
  access: {
    // A deletion that names the version it means needs the right to read it.
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    auditLog: ['insert'],
    propertyKey: ['decrypt'],
    uploads: ['list', 'get', 'delete'],
    work: ['list', 'get', 'put', 'delete'],
    exports: ['list', 'get', 'delete'],
    importBatches: ['send'],
    drains: ['send'],
    importFile: ['start'],
    undoJob: ['start'],
    runExport: ['start'],
    deliverExport: ['start'],
    exportRuns: ['send'],
    exportSchedules: ['create', 'delete'],
    exportSchedulesRole: ['pass'],
  },
  settings: ['exportRunsArn', 'exportRunsDeadLetters', 'deflateProfiles', 'clockMargin'],
  alarm: {
    severity: 'ticket',
    impact: 'Work that was interrupted stays unfinished',
  },
}));
