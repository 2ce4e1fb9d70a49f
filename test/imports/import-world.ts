import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { cachedEnrichers, enrichmentOf } from '../../shared/enrichment/enrichers.ts';
import type { BatchDeps } from '../../shared/imports/batches/process-slices.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import type { ImportPlace } from '../../shared/imports/files/start-job.ts';
import { restatementsIn } from '../../shared/ingest/restatements.ts';
import { undoLog } from '../../shared/ingest/undo-log.ts';
import { rehearse } from '../../shared/ingest/rehearsal.ts';
import { rulesIn } from '../../shared/properties/rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { NOW, scope, harnessOn } from '../profiles/harness.ts';
import type { Mail, Mailer } from '../../shared/email/mailer.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { segmentsIn } from './segments-in.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryParts } from '../support/memory-parts.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';

/**
 * Everything that imports need, on a table, objects and queues in memory; profiles are stored by the real rules. `beforeObject` is
 * called ahead of every operation on an object.
 */
export const importWorld = (
  table?: MemoryTable,
  beforeObject: () => void = () => undefined,
  { uploads, work } = { uploads: new MemoryObjects(beforeObject), work: new MemoryObjects(beforeObject) },
) => {
  const profiles = harnessOn(table);
  let now = NOW;
  const clock = () => (now += 1);
  uploads.clock = clock;
  const batches = new MemoryQueue();
  const enrichments = new MemoryQueue();
  const enrichers = cachedEnrichers({ table: profiles.table, clock });
  const imports = importRepository({ table: profiles.table, pause: () => Promise.resolve() });
  const { undoneAmong } = imports;
  const log = undoLog({ work, undoneAmong });
  const restatements = restatementsIn({ table: profiles.table, clock, undoneAmong });
  const profileDeps = { ...profiles.deps, undoLog: log, restatements };
  const asked: number[] = [];
  const barrier = {
    settled: true,
    /** The times by which announcements were asked about. */
    asked,
    isSettled: (_property: number, announcedBy: number) => {
      asked.push(announcedBy);
      return Promise.resolve(barrier.settled);
    },
  };
  const drains: (readonly number[])[] = [];
  const measured: number[] = [];
  const credentials = new MemoryTable();
  const auditLog = new MemoryTable();
  const mails: Mail[] = [];
  const calls: WebhookCall[] = [];
  const started: string[] = [];
  const ignored: string[] = [];
  const ignoredIn: ImportPlace[] = [];
  const deps = {
    table: profiles.table,
    credentials,
    audit: auditTrail({ entries: auditLog, log: logTo(() => undefined), clock }),
    imports,
    uploads,
    parts: new MemoryParts(uploads),
    work,
    workParts: new MemoryParts(work),
    batches,
    barrier,
    measure: (property: number) => Promise.resolve(void measured.push(property)),
    clock,
    pause: () => Promise.resolve(),
    random: () => 0,
    ids: systemIds,
    keyService: memoryKeys(),
    mailboxes: mailboxes(profiles.table),
    accountNameOf: () => Promise.resolve('Harbour Hall'),
    consoleUrl: 'https://api.example.org/console',
    mail: (mail: Mail): ReturnType<Mailer> => {
      mails.push(mail);
      return Promise.resolve({ kind: 'sent' });
    },
    send: (call: WebhookCall): Promise<SendOutcome> => {
      calls.push(call);
      return Promise.resolve({ kind: 'answered', status: 200, retryAfter: undefined });
    },
    stage: {
      baseUrl: 'https://api.example.org',
      privateTargets: 'none',
      sender: 'sender@example.org',
    } as const,
    baseUrl: 'https://api.example.org',
    scopeOf: async () => ({ ...scope, rules: await rulesIn(profiles.table)(scope.id) }),
    rulesOf: rulesIn(profiles.table),
    enrichment: enrichmentOf({ enrichers, queue: enrichments, ids: systemIds }),
    segments: segmentsIn(profiles.ids),
    derivations: profiles.deps.derivations,
    rehearse: (where: PropertyScope) => rehearse(profiles.deps, where),
    store: storingIn(profileDeps),
    requestDrains: (_property: number, groups: readonly number[]) =>
      Promise.resolve(void drains.push(groups)),
    workflow: { start: (name: string) => Promise.resolve(void started.push(name)) },
    undos: { start: (name: string) => Promise.resolve(void started.push(name)) },
    ignored: (why: string, where?: ImportPlace) => {
      ignored.push(why);
      if (where) ignoredIn.push({ property: where.property, import: where.import });
    },
  };
  return {
    ...profiles,
    profileDeps,
    deps,
    credentials,
    auditLog,
    uploads,
    work,
    batches,
    enrichments,
    barrier,
    drains,
    /** The properties whose sizes were to be measured. */
    measured,
    mails,
    calls,
    started,
    ignored,
    ignoredIn,
  };
};
export type ImportWorld = ReturnType<typeof importWorld>;

/** Stores the records of a batch on profiles, as the function of batches does. */
export const storingIn =
  (profiles: Parameters<typeof applyRecords>[0]): BatchDeps['store'] =>
  (where, records, { attemptId, repeated }) =>
    applyRecords(profiles, where, records, { attemptId, repeated, index: 'later' });

/** The same on profiles of a property that has no room for segments of tags. */
export const storingWithoutTags = ({ profileDeps }: Pick<ImportWorld, 'profileDeps'>): BatchDeps['store'] => {
  const { segments } = profileDeps;
  const idsOf: typeof segments.idsOf = (property, identities) =>
    segments.idsOf(
      property,
      identities.filter(({ type }) => type !== 'tag'),
    );
  return storingIn({ ...profileDeps, segments: { ...segments, idsOf } });
};
