/** Job items: import jobs and their batches in the table, for the import repository. */
import * as v from 'valibot';
import type { Page } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import { keys } from '../../table/keys.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { Attributes, Table, Write, WriteOutcome } from '../../table/table.ts';
import { type Batch, batchItem, type BatchResult } from '../items/batch.ts';
import { type ImportJob, jobItem } from '../items/import-job.ts';
import type { TallyItems } from '../counting/tally-items.ts';

const markedJob = v.object({ id: v.number(), undo: v.nullable(v.object({ begun: v.nullable(v.number()) })) });

/** Those of the jobs of a property whose undo has begun. */
export const undoneJobs =
  (table: Pick<Table, 'getMany'>) =>
  async (property: number, ids: readonly number[]): Promise<ReadonlySet<number>> => {
    const found = await table.getMany(ids.map((id) => keys.job(property, id)));
    const jobs = found.flatMap((item) => (item ? [v.parse(markedJob, item)] : []));
    return new Set(jobs.flatMap(({ id, undo }) => (undo === null || undo.begun === null ? [] : [id])));
  };

/** A new job; its other attributes are empty. */
export type NewJob = Pick<
  ImportJob,
  'id' | 'property' | 'import' | 'revision' | 'name' | 'created' | 'dryRun' | 'phase' | 'file'
>;

/** A batch before any worker has begun it. */
export type NewBatch = Pick<
  Batch,
  'uuid' | 'slot' | 'name' | 'accepted' | 'records' | 'skipAppends' | 'tier' | 'source'
> &
  Partial<Pick<Batch, 'retry'>>;

export type JobUpdate = Partial<Omit<ImportJob, 'w' | keyof Omit<NewJob, 'phase' | 'file'>>>;
export type BatchUpdate = Partial<Pick<Batch, 'begun' | 'repeated' | 'admitted' | 'parked' | 'requeued'>>;

/** Reads and writes of jobs and their batches. */
export interface JobItems {
  /** Adds a job unless one with its id exists. */
  addJob(job: NewJob): Promise<void>;
  job(property: number, id: number): Promise<ImportJob | undefined>;
  /** Those of the jobs whose undo has begun. */
  readonly undoneAmong: (property: number, ids: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Jobs of a definition, in order of creation. */
  jobs(property: number, importId: number, page: Page): Promise<Listed<ImportJob>>;
  /** Updates a job; `false` when it has changed since it was read. */
  updateJob(seen: ImportJob, update: JobUpdate): Promise<boolean>;
  /** Adds batches, except those whose UUID exists, and counts them. */
  addBatches(job: Pick<ImportJob, 'property' | 'id'>, batches: readonly NewBatch[]): Promise<void>;
  /** Adds one batch and counts it; `false` when its UUID exists. */
  addBatch(job: Pick<ImportJob, 'property' | 'id'>, batch: NewBatch): Promise<boolean>;
  batch(property: number, job: number, uuid: string): Promise<Batch | undefined>;
  /** Batches by their UUIDs; those that do not exist are left out. */
  batchesOf(property: number, job: number, uuids: readonly string[]): Promise<readonly Batch[]>;
  /** All batches of a job in the order of their UUIDs, starting after the UUID `after`. */
  batches(property: number, job: number, after?: string): Promise<readonly Batch[]>;
  /** Updates the marks of a batch and counts it; `false` when it has changed since it was read. */
  updateBatch(job: Pick<ImportJob, 'property' | 'id'>, seen: Batch, update: BatchUpdate): Promise<boolean>;
  /** Stores the result of a batch and counts it; `false` when the batch has changed since it was read. */
  finishBatch(job: Pick<ImportJob, 'property' | 'id'>, seen: Batch, result: BatchResult): Promise<boolean>;
}

const jobReference = v.object({ id: v.number() });
const parseJob = (item: unknown): ImportJob => v.parse(jobItem, item);
const parseBatch = (item: unknown): Batch => v.parse(batchItem, item);
const unset = {
  arrived: null,
  started: null,
  ended: null,
  source: null,
  proof: null,
  layout: null,
  remarks: [],
  tier: null,
  splitCursor: null,
  failure: null,
  unterminated: null,
  finishing: null,
  watched: null,
  announced: null,
  dryRunResult: null,
  final: null,
  undo: null,
};
const untouched = {
  begun: null,
  repeated: false,
  admitted: false,
  parked: null,
  requeued: null,
  result: null,
};

/** Jobs and batches in a table. `countBatches` counts each state of a batch after it was stored. */
export const jobItems = (table: Table, countBatches: TallyItems['countBatches']): JobItems => ({
  ...batchItems(table, countBatches),
  addJob: async (job) => {
    const { property, id } = job;
    // The job is stored before its list entry, so that every listed job can be read.
    await table.write({ kind: 'insert', key: keys.job(property, id), set: { ...unset, ...job } });
    await table.write({ kind: 'insert', key: keys.importJob(property, job.import, id), set: { id } });
  },
  job: async (property, id) => {
    const item = belongsTo(property, id) ? await table.get(keys.job(property, id)) : undefined;
    return item && parseJob(item);
  },
  undoneAmong: undoneJobs(table),
  jobs: async (property, importId, page) => {
    const listed = await table.query(keys.importJob(property, importId, 0).pk, page);
    const ids = listed.items.map((item) => v.parse(jobReference, item).id);
    const found = await table.getMany(ids.map((id) => keys.job(property, id)));
    const items = found.flatMap((item) => (item ? [parseJob(item)] : []));
    return { items, ...(listed.next === undefined ? {} : { next: listed.next }) };
  },
  updateJob: async ({ property, id, w }, set) =>
    (await table.write({ kind: 'update', key: keys.job(property, id), set, expect: { w } })) === 'applied',
});

type BatchItems = Pick<
  JobItems,
  'addBatches' | 'addBatch' | 'batch' | 'batchesOf' | 'batches' | 'updateBatch' | 'finishBatch'
>;

const batchItems = (table: Table, countBatches: TallyItems['countBatches']): BatchItems => ({
  addBatches: async (job, batches) => {
    const outcomes = await table.writeMany(batches.map((batch) => insertion(job, batch)));
    const [added, known] = [batches.filter(isApplied(outcomes)), batches.filter(isRefused(outcomes))];
    // A batch that exists may have another slot, and its first writer may have died before it counted the batch.
    const stored = await batchesOf(table, job, known);
    await countBatches(job, [...added.map((batch) => ({ ...untouched, retry: null, ...batch })), ...stored]);
  },
  addBatch: async (job, batch) => {
    if ((await table.write(insertion(job, batch))) !== 'applied') return false;
    await countBatches(job, [{ ...untouched, retry: null, ...batch }]);
    return true;
  },
  batchesOf: (property, id, uuids) =>
    batchesOf(
      table,
      { property, id },
      uuids.map((uuid) => ({ uuid })),
    ),
  batch: async (property, job, uuid) => {
    const item = await table.get(keys.batch(property, job, uuid));
    return item && parseBatch(item);
  },
  batches: async (property, job, after) => {
    const { pk, sk } = keys.batch(property, job, '');
    const start = after === undefined ? {} : { after: keys.batch(property, job, after).sk };
    return (await table.query(pk, { prefix: sk, ...start })).items.map(parseBatch);
  },
  updateBatch: async (job, seen, update) => {
    if (!(await writeBatch(table, job, seen, update))) return false;
    if (update.parked !== undefined) await countBatches(job, [{ ...seen, ...update }]);
    return true;
  },
  finishBatch: async (job, seen, result) => {
    if (!(await writeBatch(table, job, seen, { result }))) return false;
    await countBatches(job, [{ ...seen, result }]);
    return true;
  },
});

const isApplied = (outcomes: readonly WriteOutcome[]) => (_: unknown, index: number) =>
  outcomes[index] === 'applied';
const isRefused = (outcomes: readonly WriteOutcome[]) => (_: unknown, index: number) =>
  outcomes[index] === 'refused';

const batchesOf = async (
  table: Table,
  { property, id }: Pick<ImportJob, 'property' | 'id'>,
  batches: readonly Pick<Batch, 'uuid'>[],
): Promise<readonly Batch[]> => {
  const items = await table.getMany(batches.map(({ uuid }) => keys.batch(property, id, uuid)));
  return items.filter((item) => item !== undefined).map(parseBatch);
};

const insertion = (job: Pick<ImportJob, 'property' | 'id'>, batch: NewBatch): Write => ({
  kind: 'insert',
  key: keys.batch(job.property, job.id, batch.uuid),
  set: { retry: null, ...batch, ...untouched },
});

const writeBatch = async (
  table: Table,
  job: Pick<ImportJob, 'property' | 'id'>,
  { uuid, w }: Batch,
  set: Attributes,
): Promise<boolean> => {
  const key = keys.batch(job.property, job.id, uuid);
  return (await table.write({ kind: 'update', key, set, expect: { w } })) === 'applied';
};
