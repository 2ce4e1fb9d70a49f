/**
 * Upkeep entries: the functions behind queues, schedules and the command line that keep the membership index up to
 * date.
 */
import { limits } from '../../shared/config/limits.ts';
import { taskFunction, entry } from '../entry.ts';

export const drain = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'segments/drain',
  summary: 'Bring the index of memberships up to date with the journal, one group at a time',
  timeoutSeconds: limits.segments.indexerSeconds,
  trigger: { kind: 'queue', queue: 'drains', batchSize: 1, maxConcurrency: 'drainExecutions' },
  access: { table: ['read', 'query', 'insert', 'update', 'delete'] },
  alarm: { severity: 'page', impact: 'Imports stay in processing: segments lag behind profiles' },
}));

export const sweep = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'segments/sweep',
  summary: 'Find journal entries that nobody has processed, and queue their processing',
  timeoutSeconds: 120,
  trigger: { kind: 'schedule', expression: 'rate(5 minutes)' },
  access: {
    table: ['query'],
    drains: ['send'],
  },
  alarm: { severity: 'ticket', impact: 'Changes left over by crashed writers reach segments late' },
}));

/** Its name is that of release 0.2.0, which followed birthdays only: another name would be another function. */
export const followBirthdays = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'segments/follow-birthdays',
  summary: 'Announce who enters or leaves a segment with the day: by age, or by a condition about days',
  // The first call of a day comes five minutes after midnight UTC, when changes derived the day before are in the journal.
  trigger: { kind: 'schedule', expression: 'cron(5/15 * * * ? *)' },
  access: {
    table: ['insert', 'increment', 'update', 'read', 'query', 'put'],
    drains: ['send'],
  },
  alarm: { severity: 'ticket', impact: 'People stay in the age bands and windows of yesterday' },
}));

export const measureSizes = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'segments/measure-sizes',
  summary: 'Count the segments that have changed, and list all segments by size',
  trigger: { kind: 'schedule', expression: 'rate(2 minutes)' },
  access: { table: ['read', 'query', 'insert', 'update', 'put'] },
  alarm: { severity: 'ticket', impact: 'The list of segments by size is of an earlier time' },
}));

export const auditIndex = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'segments/audit-index',
  summary: 'Compare the index of memberships with the profiles, and correct it',
  timeoutSeconds: limits.segments.indexerSeconds,
  trigger: { kind: 'invoke' },
  access: {
    table: ['read', 'query', 'insert', 'update'],
    credentials: ['read'],
    auditLog: ['insert'],
    propertyKey: ['decrypt'],
  },
}));
