import type { Listed, Page } from '../../http/listing.ts';
import * as v from 'valibot';
import { allocateIdOnce, allocatedId, type RequestKey } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { belongsTo, scopedId } from '../../table/scoped-ids.ts';
import type { Attributes, Table, Write } from '../../table/table.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import { definitionItem, type ImportDefinition } from './definition.ts';
import { type Batch, type BatchResult, type ImportJob, parseBatch, parseJob } from './job.ts';

/** A job as it is made; the rest is empty. */
export type NewJob = Pick<
  ImportJob,
  'id' | 'property' | 'import' | 'revision' | 'name' | 'created' | 'phase' | 'file'
>;
/** A definition with the nonce of the state that was read, for conditional writes. */
export interface SeenDefinition {
  readonly definition: ImportDefinition;
  readonly w: string;
}
/** A batch before its result. */
export type NewBatch = Omit<Batch, 'w' | keyof typeof untouched | 'tier' | 'retry'> &
  Required<Pick<Batch, 'tier'>> &
  Partial<Pick<Batch, 'retry'>>;

/** What a job is worked off by; `deleted` says that the definition takes nothing new. */
export interface DefinitionRevision extends ImportDefinition {
  readonly deleted: boolean;
}

/** Definitions, jobs and batches in the table. */
export interface ImportRepository {
  nextId(property: number, kind: 'import' | 'import-job'): Promise<number>;
  /** The id of what a cause makes, the same each time. */
  idOf(cause: RequestKey, kind: 'import' | 'import-job'): Promise<number>;
  /** Notes that a cause is about to complete the upload of a job. */
  noteCompletion(cause: RequestKey, job: number): Promise<void>;
  /** Whether a cause was about to complete an upload before. */
  isCompletionNoted(cause: RequestKey): Promise<boolean>;
  /** Adds a definition, and returns the one that is there then: of two tries for one cause, that of the first. */
  addDefinition(definition: ImportDefinition): Promise<ImportDefinition>;
  /** `undefined` for ids of other properties too, without a read, and for one that is deleted. */
  definition(property: number, id: number): Promise<ImportDefinition | undefined>;
  seenDefinition(property: number, id: number): Promise<SeenDefinition | undefined>;
  /** What a job is worked off by: the definition as it was when the job was made, with the grant of now. */
  definitionOfJob(
    job: Pick<ImportJob, 'property' | 'import' | 'revision'>,
  ): Promise<DefinitionRevision | undefined>;
  definitions(property: number, page: Page): Promise<Listed<ImportDefinition>>;
  /** Puts another in the place of a definition that is still as it was seen; `false` when it is not. */
  replaceDefinition(seen: SeenDefinition, after: ImportDefinition): Promise<boolean>;
  /** Marks a definition as deleted that is still as it was seen; `false` when it is not. */
  markDeleted(seen: SeenDefinition): Promise<boolean>;
  /** Whether a definition is marked as deleted and its item not yet removed. */
  isMarked(property: number, id: number): Promise<boolean>;
  /** Whether a definition has ever been replaced or deleted. One that is not there now, and was there once, was. */
  hasHistory(property: number, id: number): Promise<boolean>;
  /** Removes the item of a definition that is marked. */
  removeMarked(property: number, id: number): Promise<void>;
  /** Gives a definition a granted tier, or none; `false` when there is no such definition. */
  grantTier(property: number, id: number, tier: GrantedTier | null): Promise<boolean>;
  /** Adds a job where there is none yet. */
  addJob(job: NewJob): Promise<void>;
  job(property: number, id: number): Promise<ImportJob | undefined>;
  /** Jobs of a definition, in order of creation. */
  jobs(property: number, importId: number, page: Page): Promise<Listed<ImportJob>>;
  /** Changes a job in the state seen; `false` when it has changed since. */
  updateJob(seen: ImportJob, change: JobUpdate): Promise<boolean>;
  /** Adds batches where there are none yet with their UUIDs. */
  addBatches(job: Pick<ImportJob, 'property' | 'id'>, batches: readonly NewBatch[]): Promise<void>;
  /** Adds one batch; `false` when its UUID is taken. */
  addBatch(job: Pick<ImportJob, 'property' | 'id'>, batch: NewBatch): Promise<boolean>;
  batch(property: number, job: number, uuid: string): Promise<Batch | undefined>;
  /** All batches of a job, in the order of their UUIDs, from behind `after` on. */
  batches(property: number, job: number, after?: string): Promise<readonly Batch[]>;
  /** Notes what happened to a batch besides its result; `false` when the batch has changed since it was seen. */
  updateBatch(job: Pick<ImportJob, 'property' | 'id'>, seen: Batch, note: BatchUpdate): Promise<boolean>;
  /** Gives a batch its result; `false` when it has one already. */
  finishBatch(job: Pick<ImportJob, 'property' | 'id'>, seen: Batch, result: BatchResult): Promise<boolean>;
}

export type JobUpdate = Partial<
  Pick<
    ImportJob,
    | 'phase'
    | 'arrived'
    | 'started'
    | 'ended'
    | 'file'
    | 'source'
    | 'layout'
    | 'tier'
    | 'splitCursor'
    | 'failure'
    | 'unterminated'
    | 'finishing'
    | 'watched'
    | 'final'
  >
>;
export type BatchUpdate = Partial<Pick<Batch, 'begun' | 'repeated' | 'parked' | 'requeued'>>;

const jobRef = v.object({ id: v.number() });
const unset = {
  arrived: null,
  started: null,
  ended: null,
  source: null,
  layout: null,
  splitCursor: null,
  failure: null,
  unterminated: null,
  finishing: null,
  watched: null,
  final: null,
};
const untouched = { begun: null, repeated: false, parked: null, requeued: null, result: null };

/** The repository of a table. */
export const importRepository = ({ table }: { readonly table: Table }): ImportRepository => ({
  nextId: (property, kind) => nextId(table, property, kind),
  idOf: (cause, kind) => allocateIdOnce(table, cause, kind, () => nextId(table, cause.property, kind)),
  noteCompletion: async (cause, job) => {
    await allocateIdOnce(table, cause, COMPLETION, () => Promise.resolve(job));
  },
  isCompletionNoted: async (cause) => (await allocatedId(table, cause, COMPLETION)) !== undefined,
  ...definitionsIn(table),
  ...jobsIn(table),
  ...batchesIn(table),
});

/** What the completion of an upload is called among the things of its cause. */
const COMPLETION = 'completion';

const nextId = async (table: Table, property: number, kind: 'import' | 'import-job'): Promise<number> =>
  scopedId(property, await table.increment(keys.counter(property, kind), 1));

const definitionsIn = (table: Table): Pick<ImportRepository, DefinitionCall> => ({
  ...revisionsIn(table),
  addDefinition: async (definition) => {
    const key = keys.importDefinition(definition.property, definition.id);
    if ((await table.write({ kind: 'insert', key, set: definition })) === 'applied') return definition;
    return (await seenDefinition(table, definition.property, definition.id))?.definition ?? definition;
  },
  definition: async (property, id) => (await seenDefinition(table, property, id))?.definition,
  seenDefinition: (property, id) => seenDefinition(table, property, id),
  definitions: async (property, page) => {
    const { items, next } = await table.query(keys.importDefinition(property, 0).pk, page);
    return {
      items: items.filter(isLive).map((item) => v.parse(definitionItem, item)),
      ...(next === undefined ? {} : { next }),
    };
  },
  grantTier: async (property, id, tier) => {
    if (!belongsTo(property, id)) return false;
    const key = keys.importDefinition(property, id);
    // Alone of its attribute: of two grants at once either may be the last.
    const outcome = await table.write({ kind: 'update', key, set: { granted_tier: tier }, expect: { id } });
    return outcome === 'applied';
  },
});

type DefinitionCall =
  | 'addDefinition'
  | 'definition'
  | 'seenDefinition'
  | 'definitionOfJob'
  | 'definitions'
  | 'replaceDefinition'
  | 'markDeleted'
  | 'isMarked'
  | 'hasHistory'
  | 'removeMarked'
  | 'grantTier';

const seenDefinition = async (
  table: Table,
  property: number,
  id: number,
): Promise<SeenDefinition | undefined> => {
  const item = belongsTo(property, id) ? await table.get(keys.importDefinition(property, id)) : undefined;
  return isLive(item) ? { definition: v.parse(definitionItem, item), w: item.w } : undefined;
};

/**
 * Changes of definitions. What a definition was is kept before it is changed, so that a job finds the revision it was made
 * under at every moment; a revision never changes, but for the grant, which is read where it stands.
 */
const revisionsIn = (
  table: Table,
): Pick<
  ImportRepository,
  'definitionOfJob' | 'replaceDefinition' | 'markDeleted' | 'isMarked' | 'hasHistory' | 'removeMarked'
> => ({
  definitionOfJob: async ({ property, import: id, revision }) => {
    const item = await table.get(keys.importDefinition(property, id));
    const present = item && v.parse(definitionItem, item);
    const deleted = !isLive(item);
    if (present?.revision === revision) return { ...present, deleted };
    const kept = await table.get(keys.importRevision(property, id, revision));
    return kept && { ...v.parse(definitionItem, kept), granted_tier: present?.granted_tier ?? null, deleted };
  },
  replaceDefinition: async (seen, after) => {
    await keepRevision(table, seen);
    return changeDefinition(table, seen, { ...after });
  },
  markDeleted: async (seen) => {
    await keepRevision(table, seen);
    const { property, id } = seen.definition;
    const outcome = await table.write(deleteWrite(keys.importDefinition(property, id), seen.w));
    return outcome === 'applied';
  },
  isMarked: async (property, id) => {
    const item = belongsTo(property, id) ? await table.get(keys.importDefinition(property, id)) : undefined;
    return item !== undefined && !isLive(item);
  },
  hasHistory: async (property, id) => (await table.get(keys.importRevision(property, id, 0))) !== undefined,
  removeMarked: async (property, id) => {
    await table.write(purgeWrite(keys.importDefinition(property, id)));
  },
});

const keepRevision = async (table: Table, { definition }: SeenDefinition): Promise<void> => {
  const { property, id, revision } = definition;
  await table.write({ kind: 'insert', key: keys.importRevision(property, id, revision), set: definition });
};

const changeDefinition = async (
  table: Table,
  { definition: { property, id }, w }: SeenDefinition,
  set: Attributes,
): Promise<boolean> => {
  const key = keys.importDefinition(property, id);
  return (await table.write({ kind: 'update', key, set, expect: { w } })) === 'applied';
};

const jobsIn = (table: Table): Pick<ImportRepository, 'addJob' | 'job' | 'jobs' | 'updateJob'> => ({
  addJob: async (job) => {
    const { property, id } = job;
    // The job before its place in the list: what is listed can be read.
    await table.write({ kind: 'insert', key: keys.job(property, id), set: { ...unset, ...job } });
    await table.write({ kind: 'insert', key: keys.importJob(property, job.import, id), set: { id } });
  },
  job: async (property, id) => {
    const item = belongsTo(property, id) ? await table.get(keys.job(property, id)) : undefined;
    return item && parseJob(item);
  },
  jobs: async (property, importId, page) => {
    const listed = await table.query(keys.importJob(property, importId, 0).pk, page);
    const ids = listed.items.map((item) => v.parse(jobRef, item).id);
    const found = await table.getMany(ids.map((id) => keys.job(property, id)));
    const items = found.flatMap((item) => (item ? [parseJob(item)] : []));
    return { items, ...(listed.next === undefined ? {} : { next: listed.next }) };
  },
  updateJob: async ({ property, id, w }, change) => {
    const key = keys.job(property, id);
    const outcome = await table.write({ kind: 'update', key, set: change, expect: { w } });
    return outcome === 'applied';
  },
});

const batchesIn = (
  table: Table,
): Pick<
  ImportRepository,
  'addBatches' | 'addBatch' | 'batch' | 'batches' | 'updateBatch' | 'finishBatch'
> => ({
  addBatches: async (job, batches) => {
    await table.writeMany(batches.map((batch) => insertion(job, batch)));
  },
  addBatch: async (job, batch) => (await table.write(insertion(job, batch))) === 'applied',
  batch: async (property, job, uuid) => {
    const item = await table.get(keys.batch(property, job, uuid));
    return item && parseBatch(item);
  },
  batches: async (property, job, after) => {
    const { pk, sk } = keys.batch(property, job, '');
    const behind = after === undefined ? {} : { after: keys.batch(property, job, after).sk };
    return (await table.query(pk, { prefix: sk, ...behind })).items.map(parseBatch);
  },
  updateBatch: (job, seen, note) => changeBatch(table, job, seen, note),
  finishBatch: (job, seen, result) => changeBatch(table, job, seen, { result }),
});

const insertion = (job: Pick<ImportJob, 'property' | 'id'>, batch: NewBatch): Write => ({
  kind: 'insert',
  key: keys.batch(job.property, job.id, batch.uuid),
  set: { ...batch, ...untouched },
});

const changeBatch = async (
  table: Table,
  job: Pick<ImportJob, 'property' | 'id'>,
  { uuid, w }: Batch,
  set: Attributes,
): Promise<boolean> => {
  const key = keys.batch(job.property, job.id, uuid);
  return (await table.write({ kind: 'update', key, set, expect: { w } })) === 'applied';
};
