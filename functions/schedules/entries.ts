import { entry, taskFunction } from '../entry.ts';

export const runScheduled = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  memoryMb: 1769,
  source: 'schedules/run-scheduled',
  summary: 'Run an export, or add a moment to a timeline, because its schedule says so',
  timeoutSeconds: 300,
  trigger: { kind: 'queue', queue: 'exportRuns', batchSize: 1, maxConcurrency: 10 },
  access: {
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    runExport: ['start'],
    exportSchedules: ['delete'],
  },
  settings: ['momentInterval'],
  alarm: { severity: 'ticket', impact: 'Scheduled exports do not run, and scheduled moments do not come' },
}));
