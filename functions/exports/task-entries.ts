/**
 * Task entries: the tasks that run exports, in a workflow, on a schedule or behind a queue; `delivery-entries.ts` has
 * those of deliveries.
 */
import { queueActions } from '../../shared/runtime/queue-access.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { taskFunction, entry } from '../entry.ts';
import { scheduleActions } from './schedule-access.ts';

export const planExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  source: 'exports/plan-export',
  summary: 'Freeze the members of an export and cut them into shards',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] },
    { to: 'work', actions: ['s3:PutObject'] },
    { to: 'exports', actions: ['s3:GetObject', 's3:ListBucket', 's3:PutObject'] },
    { to: 'propertyKey', actions: ['kms:GenerateDataKey'] },
  ],
  settings: ['exportJobsAtOnce'],
  alarm: { severity: 'ticket', impact: 'Exports fail before their first row' },
}));

export const writeExportPart = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  source: 'exports/write-part',
  summary: 'Write the rows of one shard as a sealed part',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert] },
    { to: 'work', actions: ['s3:PutObject'] },
    { to: 'exports', actions: ['s3:GetObject'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  alarm: { severity: 'ticket', impact: 'Exports fail while their rows are read' },
}));

export const assembleExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  memoryMb: 1769,
  source: 'exports/assemble-export',
  summary: 'Join the parts of an export into its file, in several calls if need be',
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] },
    { to: 'work', actions: ['s3:GetObject', 's3:ListBucket', 's3:PutObject'] },
    { to: 'exports', actions: ['s3:PutObject'] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  alarm: { severity: 'ticket', impact: 'Exports fail at their last step' },
}));

export const failExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  source: 'exports/fail-export',
  summary: 'Mark an export job as failed, with the reason',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: [{ to: 'table', actions: [...table.read, ...table.update] }],
  alarm: { severity: 'ticket', impact: 'Failed exports look as if they were still running' },
}));

export const runScheduledExport = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  source: 'exports/run-scheduled-export',
  summary: 'Run an export because its schedule says so',
  timeoutSeconds: 60,
  trigger: { kind: 'queue', queue: 'exportRuns', batchSize: 1, maxConcurrency: 5 },
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
    { to: 'runExport', actions: ['states:StartExecution'] },
    { to: 'exportSchedules', actions: ['scheduler:DeleteSchedule'] },
    { to: 'exportRuns', actions: [...queueActions.consume] },
  ],
  alarm: { severity: 'ticket', impact: 'Scheduled exports do not run' },
}));

export const repairExports = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'export',
  source: 'exports/repair-exports',
  summary:
    'Reconcile the outbox of exports: finish jobs, deliveries and schedules that a crashed function left behind',
  timeoutSeconds: 120,
  trigger: { kind: 'schedule', expression: 'rate(5 minutes)' },
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
    { to: 'exports', actions: ['s3:ListBucket', 's3:DeleteObject'] },
    { to: 'runExport', actions: ['states:StartExecution'] },
    { to: 'deliverExport', actions: ['states:StartExecution'] },
    ...scheduleActions,
  ],
  settings: ['exportRunsArn', 'exportRunsDeadLetters'],
  alarm: { severity: 'ticket', impact: 'Exports whose start was interrupted never run, or block later ones' },
}));
