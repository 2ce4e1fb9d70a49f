/** Stored items: definitions with their revisions, jobs and batches in the table, for the import repository. */
import * as v from 'valibot';
import type { ReadDefinitions } from '../../deliveries/notice-addresses.ts';
import type { Page } from '../../http/listing.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { Attributes, StoredItem, Table, Write, WriteOutcome } from '../../table/table.ts';
import { type Versioned, versioned } from '../../table/versioned.ts';
import type { TallyItems } from '../counting/tally.ts';
import { type Batch, batchItem, type BatchResult } from '../items/batch.ts';
import { definitionItem, type ImportDefinition } from '../items/import-definition.ts';
import { type ImportJob, type JobKey, parseJob } from '../items/import-job.ts';
import { definitionNames } from './definition-names.ts';
import { jobsById } from './jobs-by-id.ts';

const parseDefinition = versioned(definitionItem);

/** Reads and writes of definitions. */
export const definitionItems = (table: Table) => {
  const stored = async (property: number, id: number): Promise<StoredItem | undefined> =>
    belongsTo(property, id) ? table.get(keys.importDefinition(property, id)) : undefined;
  const versionedDefinition = async (property: number, id: number) => {
    const item = await stored(property, id);
    return isLive(item) ? parseDefinition(item) : undefined;
  };
  return {
    ...revisions(table),
    /** Adds a definition, and returns the stored one: for two requests with one idempotency key, the first. */
    addDefinition: async (definition: ImportDefinition): Promise<ImportDefinition> => {
      const { property, id } = definition;
      const key = keys.importDefinition(property, id);
      if ((await table.write({ kind: 'insert', key, set: definition })) === 'applied') return definition;
      return (await versionedDefinition(property, id))?.value ?? definition;
    },
    /** `undefined` for a deleted definition, and, without a read, for an id of another property. */
    definition: async (property: number, id: number) => (await versionedDefinition(property, id))?.value,
    /** Like `definition`, with the version for a conditional write. */
    versionedDefinition,
    definitionNames: definitionNames(table),
    definitions: async (property: number, page: Page) => {
      const { items, next } = await table.query(keys.importDefinition(property, 0).pk, page);
      return { items: items.filter(isLive).map((item) => v.parse(definitionItem, item)), next };
    },
    /** Whether a definition is marked as deleted and its item still exists. */
    isMarked: async (property: number, id: number): Promise<boolean> => {
      const item = await stored(property, id);
      return item !== undefined && !isLive(item);
    },
    /** Sets or removes the granted tier of a definition; `false` when there is no such definition. */
    grantTier: async (property: number, id: number, tier: GrantedTier | null): Promise<boolean> => {
      if (!belongsTo(property, id)) return false;
      const key = keys.importDefinition(property, id);
      // The write sets this attribute alone. Of two concurrent grants either may be the last.
      const outcome = await table.write({ kind: 'update', key, set: { granted_tier: tier }, expect: { id } });
      return outcome === 'applied';
    },
  };
};

/**
 * Changes of definitions. Each change first stores the present revision, so that a job always finds the revision it was
 * created with. A stored revision never changes; only the grant is read from the definition itself.
 */
const revisions = (table: Table) => ({
  /**
   * The definition as it was at the creation of a job, with the present grant. `deleted` means that it accepts nothing
   * new.
   */
  definitionOfJob: async ({
    property,
    import: id,
    revision,
  }: Pick<ImportJob, 'property' | 'import' | 'revision'>) => {
    const item = await table.get(keys.importDefinition(property, id));
    const present = item && v.parse(definitionItem, item);
    const deleted = !isLive(item);
    if (present?.revision === revision) return { ...present, deleted };
    const kept = await table.get(keys.importRevision(property, id, revision));
    return kept && { ...v.parse(definitionItem, kept), granted_tier: present?.granted_tier ?? null, deleted };
  },
  /** Replaces a definition; `false` when it has changed since it was read. */
  replaceDefinition: async (seen: Versioned<ImportDefinition>, after: ImportDefinition): Promise<boolean> => {
    await storeRevision(table, seen);
    const { property, id } = seen.value;
    const key = keys.importDefinition(property, id);
    const outcome = await table.write({ kind: 'update', key, set: { ...after }, expect: { w: seen.w } });
    return outcome === 'applied';
  },
  /** Marks a definition as deleted (soft delete); `false` when it has changed since it was read. */
  markDeleted: async (seen: Versioned<ImportDefinition>): Promise<boolean> => {
    await storeRevision(table, seen);
    const { property, id } = seen.value;
    return (await table.write(deleteWrite(keys.importDefinition(property, id), seen.w))) === 'applied';
  },
  /** Whether a definition was ever replaced or deleted. `true` for every definition that existed and is removed now. */
  hasHistory: async (property: number, id: number): Promise<boolean> =>
    (await table.get(keys.importRevision(property, id, 0))) !== undefined,
  /** Removes the item of a definition that is marked as deleted. */
  removeMarked: async (property: number, id: number): Promise<void> => {
    await table.write(purgeWrite(keys.importDefinition(property, id)));
  },
});

const storeRevision = async (
  table: Table,
  { value: definition }: Versioned<ImportDefinition>,
): Promise<void> => {
  const { property, id, revision } = definition;
  await table.write({ kind: 'insert', key: keys.importRevision(property, id, revision), set: definition });
};

/** The imports of a property, as far as they are about notices. */
export const importNotices =
  (table: Table): ReadDefinitions =>
  async (property, page) => {
    const { items, ...rest } = await definitionItems(table).definitions(property, page);
    const notices = items.map(({ id, name, notification_email }) => {
      const position = keys.importDefinition(property, id).sk;
      return { kind: 'import', id, name, notification_email, position } as const;
    });
    return { items: notices, ...rest };
  };

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

const jobReference = v.object({ id: v.number() });
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

/** Reads and writes of jobs and their batches. `countBatches` counts each state of a batch after it was stored. */
export const jobItems = (table: Table, countBatches: TallyItems['countBatches']) => ({
  ...batchItems(table, countBatches),
  /** Adds a job unless one with its id exists. */
  addJob: async (job: NewJob): Promise<void> => {
    const { property, id } = job;
    // The job is stored before its list entry, so that every listed job can be read.
    await table.write({ kind: 'insert', key: keys.job(property, id), set: { ...unset, ...job } });
    await table.write({ kind: 'insert', key: keys.importJob(property, job.import, id), set: { id } });
  },
  job: async (property: number, id: number): Promise<ImportJob | undefined> => {
    const item = belongsTo(property, id) ? await table.get(keys.job(property, id)) : undefined;
    return item && parseJob(item);
  },
  /** Those of the jobs whose undo has begun. */
  undoneAmong: undoneJobs(table),
  /** Jobs of a definition, in order of creation. */
  jobs: async (property: number, importId: number, page: Page) => {
    const listed = await table.query(keys.importJob(property, importId, 0).pk, page);
    const ids = listed.items.map((item) => v.parse(jobReference, item).id);
    const found = await table.getMany(ids.map((id) => keys.job(property, id)));
    return { items: found.flatMap((item) => (item ? [parseJob(item)] : [])), next: listed.next };
  },
  jobsById: jobsById(table),
  /** Updates a job; `false` when it has changed since it was read. */
  updateJob: async ({ property, id, w }: ImportJob, set: JobUpdate): Promise<boolean> =>
    (await table.write({ kind: 'update', key: keys.job(property, id), set, expect: { w } })) === 'applied',
});

const batchItems = (table: Table, countBatches: TallyItems['countBatches']) => {
  const batchesOf = async (
    property: number,
    job: number,
    uuids: readonly string[],
  ): Promise<readonly Batch[]> => {
    const items = await table.getMany(uuids.map((uuid) => keys.batch(property, job, uuid)));
    return items.filter((item) => item !== undefined).map(parseBatch);
  };
  const change = async ({ property, id }: JobKey, { uuid, w }: Batch, set: Attributes): Promise<boolean> => {
    const key = keys.batch(property, id, uuid);
    return (await table.write({ kind: 'update', key, set, expect: { w } })) === 'applied';
  };
  return {
    /** Batches by their UUIDs; those that do not exist are left out. */
    batchesOf,
    batch: async (property: number, job: number, uuid: string): Promise<Batch | undefined> =>
      (await batchesOf(property, job, [uuid]))[0],
    /** All batches of a job in the order of their UUIDs, starting after the UUID `after`. */
    batches: async (property: number, job: number, after?: string): Promise<readonly Batch[]> => {
      const { pk, sk } = keys.batch(property, job, '');
      const start = after === undefined ? {} : { after: keys.batch(property, job, after).sk };
      return (await table.query(pk, { prefix: sk, ...start })).items.map(parseBatch);
    },
    /** Adds batches, except those whose UUID exists, and counts them. */
    addBatches: async (job: JobKey, batches: readonly NewBatch[]): Promise<void> => {
      const outcomes = await table.writeMany(batches.map((batch) => insertion(job, batch)));
      const ended = (as: WriteOutcome) => batches.filter((_, index) => outcomes[index] === as);
      // A batch that exists may have another slot, and its first writer may have died before it counted the batch.
      const known = await batchesOf(
        job.property,
        job.id,
        ended('refused').map(({ uuid }) => uuid),
      );
      await countBatches(job, [...ended('applied').map(begun), ...known]);
    },
    /** Adds one batch and counts it; `false` when its UUID exists. */
    addBatch: async (job: JobKey, batch: NewBatch): Promise<boolean> => {
      if ((await table.write(insertion(job, batch))) !== 'applied') return false;
      await countBatches(job, [begun(batch)]);
      return true;
    },
    /** Updates the marks of a batch and counts it; `false` when it has changed since it was read. */
    updateBatch: async (job: JobKey, seen: Batch, update: BatchUpdate): Promise<boolean> => {
      if (!(await change(job, seen, update))) return false;
      if (update.parked !== undefined) await countBatches(job, [{ ...seen, ...update }]);
      return true;
    },
    /** Stores the result of a batch and counts it; `false` when the batch has changed since it was read. */
    finishBatch: async (job: JobKey, seen: Batch, result: BatchResult): Promise<boolean> => {
      if (!(await change(job, seen, { result }))) return false;
      await countBatches(job, [{ ...seen, result }]);
      return true;
    },
  };
};

const begun = (batch: NewBatch) => ({ retry: null, ...batch, ...untouched });

const insertion = ({ property, id }: JobKey, batch: NewBatch): Write => ({
  kind: 'insert',
  key: keys.batch(property, id, batch.uuid),
  set: begun(batch),
});
