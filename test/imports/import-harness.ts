import * as v from 'valibot';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { cachedEnrichers, enrichmentOf } from '../../shared/enrichment/enrichers.ts';
import { statusListQuery } from '../../shared/http/list-schemas.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { listImportJobs, getImportJob } from '../../shared/imports/jobs/read-import-jobs.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import type { ObjectCreated } from '../../shared/imports/files/file-events.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { listImportErrors, listImportWarnings } from '../../shared/imports/reports/list-report.ts';
import type { BatchDeps } from '../../shared/imports/batches/process-slices.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { batchAnswer, batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { importAnswer, importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { jobAnswer, jobDetailAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { errorsAnswer, reportQuery, warningsAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { jobStatuses } from '../../shared/imports/items/job-status.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import type { ImportPlace } from '../../shared/imports/files/start-job.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { repairJob } from '../../shared/imports/jobs/import-tasks.ts';
import type { ApiRequest } from '../../shared/http/api-types.ts';
import { restatementsIn } from '../../shared/ingest/restatements.ts';
import { undoLog } from '../../shared/ingest/undo-log.ts';
import { rehearse } from '../../shared/ingest/rehearsal.ts';
import { rulesIn } from '../../shared/properties/rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import type { TaskKind } from '../../shared/tasks/reconcile.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { NOW, scope, harnessOn } from '../profiles/harness.ts';
import type { Mail, Mailer } from '../../shared/email/mailer.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { lookAtDue, makeDue, tasksIn } from '../support/look-at-tasks.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { segmentsIn } from './segments-in.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryParts } from '../support/memory-parts.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { fieldMap } from '../support/field-map.ts';
import { answered, requestOf } from '../support/requests.ts';

/** A definition of `email` and `first_name`, as a client sends it. */
export const simpleDefinition = {
  name: 'Visitors',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: ['email', 'first_name'].map((name) =>
      fieldMap(name, name, { transformations: [{ name: 'strip' }] }),
    ),
  },
};

/**
 * Everything of imports on a table, objects and queues in memory; profiles are stored by the real rules. `beforeObject` is
 * called ahead of every operation on an object.
 */
export const importHarness = (
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
    clock,
    pause: () => Promise.resolve(),
    random: () => 0,
    ids: systemIds,
    keyService: memoryKeys(),
    mailboxes: mailboxes(profiles.table),
    accountNameOf: () => Promise.resolve('Harbour Hall'),
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
    brands: profiles.deps.brands,
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
    mails,
    calls,
    started,
    ignored,
    ignoredIn,
  };
};
export type ImportHarness = ReturnType<typeof importHarness>;

/** Stores the records of a batch on profiles, as the function of batches does. */
export const storingIn =
  (profiles: Parameters<typeof applyRecords>[0]): BatchDeps['store'] =>
  (where, records, { attemptId, repeated }) =>
    applyRecords(profiles, where, records, { attemptId, repeated, index: 'later' });

/** A request as the wrapper hands it on. */
export const request = <Query, Body>(
  path: Readonly<Record<string, string | number>>,
  query: Query,
  body: Body,
): ApiRequest<Query, Body> =>
  requestOf({
    ...{ property: scope.id, now: NOW, query, body },
    path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])),
  });

/** Makes a definition. */
export const define = (harness: ImportHarness, definition: unknown = simpleDefinition) =>
  answered(createImport(harness.deps, request({}, {}, v.parse(importBody, definition))), importAnswer);

/** A harness with a definition. */
export const withDefinition = async (definition: unknown = simpleDefinition) => {
  const harness = importHarness();
  return { harness, id: (await define(harness, definition)).id };
};

/** Looks at all jobs with a task, at a time. Returns how much it has repaired. */
export const repairAt = async ({ table, deps }: ImportHarness, now: number): Promise<number> => {
  const clock = () => now;
  let repaired = 0;
  const look: TaskKind['look'] = async (task) => {
    const { repairs, isDone } = await repairJob({ ...deps, clock }, task);
    repaired += repairs;
    return isDone ? 'done' : {};
  };
  const kinds = { 'import-job': { pauseSeconds: 600, look } };
  await makeDue(table, kinds);
  await lookAtDue({ table, clock }, kinds);
  return repaired;
};

/** The jobs with a task. */
export const jobsWithTasks = ({ table }: ImportHarness) => tasksIn(table).map(({ ids }) => ids[0]);

/** Makes a job for batches. */
export const openJob = (harness: ImportHarness, importId: number) =>
  answered(createImportJob(harness.deps, request({ import_id: importId }, {}, { name: 'job' })), jobAnswer);

/** Sends a batch. */
export const send = (harness: ImportHarness, job: number, records: readonly unknown[], more: object = {}) =>
  answered(
    importData(
      harness.deps,
      request({}, {}, v.parse(batchBody, { name: 'batch', import_job: job, records, ...more })),
    ),
    batchAnswer,
  );

/** Uploads a file and starts its job. */
export const upload = async (
  harness: ImportHarness,
  importId: number,
  file: Buffer | string,
  name = 'visitors.csv',
) => {
  const bytes = Buffer.from(file);
  const answer = await answered(
    createUpload(harness.deps, request({ import_id: importId }, {}, { file_name: name, size: bytes.length })),
    wholeUpload,
  );
  const key = new URL(answer.url).pathname.slice(1);
  const event = await put(harness, key, bytes);
  await startImport(harness.deps, event);
  return {
    job: answer.job_id,
    reference: { property: scope.id, import: importId, job: answer.job_id },
    key,
    event,
  };
};

/** Puts an object into the uploads bucket; answers the event that S3 sends of it. */
export const put = async (
  harness: ImportHarness,
  key: string,
  bytes: Buffer,
  options: { ifAbsent?: boolean } = {},
): Promise<ObjectCreated> => {
  const isRefused = options.ifAbsent === true && (await harness.uploads.head(key)) !== undefined;
  if (!isRefused) await harness.uploads.put(key, bytes);
  const info = await harness.uploads.head(key);
  const object = { key, size: bytes.length, etag: (info?.etag ?? '').replaceAll('"', '') };
  return {
    source: 'aws.s3',
    'detail-type': 'Object Created',
    time: new Date(info?.modified ?? NOW).toISOString(),
    detail: { bucket: { name: 'uploads' }, object },
  };
};

/** Works off everything queued. */
export const workOff = async (harness: ImportHarness): Promise<void> => {
  for (const message of harness.batches.takeBodies())
    await importBatch(harness.deps, v.parse(batchMessage, message));
};

/** Runs the steps of a file's workflow to the end; answers the job as read then. */
export const runFile = async (
  harness: ImportHarness,
  importId: number,
  file: Buffer | string,
  name?: string,
) => {
  const { reference, job } = await upload(harness, importId, file, name);
  let inspected = await inspectFile(harness.deps, reference);
  while (!inspected.done) inspected = await inspectFile(harness.deps, reference);
  if (inspected.status === 'ok') {
    while (!(await splitFile(harness.deps, reference)).done);
    await workOff(harness);
    await settleImport(harness.deps, reference);
  }
  return readJob(harness, importId, job);
};

export const readJob = (harness: ImportHarness, importId: number, job: number) =>
  answered(
    getImportJob(harness.deps, request({ import_id: importId, job_id: job }, {}, undefined)),
    jobDetailAnswer,
  );

export const listJobs = (harness: ImportHarness, importId: number, query: object = {}) =>
  listImportJobs(
    harness.deps,
    request({ import_id: importId }, v.parse(statusListQuery(jobStatuses), query), undefined),
  );

/** A harness with a definition and a job for batches. */
export const begin = async (definition: unknown = simpleDefinition) => {
  const { harness, id: importId } = await withDefinition(definition);
  const { id: job } = await openJob(harness, importId);
  return { harness, importId, job };
};

/** Reads a page of the report of a job. */
const reportReader =
  <Answer>(list: typeof listImportErrors, schema: v.GenericSchema<unknown, Answer>) =>
  (harness: ImportHarness, importId: number, job: number, query: object = {}): Promise<Answer> =>
    answered(
      list(
        harness.deps,
        request({ import_id: importId, job_id: job }, v.parse(reportQuery, query), undefined),
      ),
      schema,
    );
export const readErrors = reportReader(listImportErrors, errorsAnswer);
export const readWarnings = reportReader(listImportWarnings, warningsAnswer);

/** E-mail and first name of every stored profile, sorted by e-mail. */
export const people = async ({
  table,
  profiles,
}: ImportHarness): Promise<readonly (readonly [string, string | null])[]> => {
  const counter = await table.get({ pk: `P#${scope.id}`, sk: 'COUNTER#ordinal' });
  const ordinals = Array.from({ length: Number(counter?.['value'] ?? 0) }, (_, ordinal) => ordinal);
  const found = await profiles.readMany(scope.id, ordinals);
  return [...found.values()]
    .map(({ fields }) => [fields.email ?? '', fields.first_name] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
};
