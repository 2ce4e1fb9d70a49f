/** Tally items: the tallies of a job in the table, for the import repository. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { changeItem, type ChangeItemDeps } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table } from '../../table/table.ts';
import type { ImportJob } from '../items/import-job.ts';
import {
  counted,
  type CountedBatch,
  emptyTally,
  type NamedTally,
  type Tally,
  tallyItem,
  tallyNameOf,
  bitSet,
  slotName,
} from './tally.ts';
import type { Batch } from '../items/batch.ts';
import { addReasons, type Reason, reasonList } from '../items/row-findings.ts';

/** Reads and writes of the tallies of jobs. */
export interface TallyItems {
  /** All tallies of a job: one item for each 256 batches. */
  tallies(property: number, job: number): Promise<readonly NamedTally[]>;
  /** The sums of the reasons of a job: one item for each 8,192 batches. */
  reasonSums(property: number, job: number): Promise<readonly ReasonSums[]>;
  /** Counts batches in the state in which they were read. A state that is counted already changes nothing. */
  readonly countBatches: (
    job: Pick<ImportJob, 'property' | 'id'>,
    batches: readonly CountedBatch[],
  ) => Promise<void>;
  /** A new slot for a batch of records. A number that no batch uses does no harm. */
  nextSlot(job: Pick<ImportJob, 'property' | 'id'>): Promise<number>;
}

/** Number of tallies that are changed at once. */
const TALLIES_AT_ONCE = 8;

/** Tallies in a table. */
export const tallyItems = (deps: { readonly table: Table; readonly pause: Pause }): TallyItems => ({
  tallies: async (property, job) =>
    (await deps.table.query(keys.tallies(property, job))).items.map((item) => ({
      ...parseTally(item),
      name: item.sk,
    })),
  reasonSums: async (property, job) =>
    (await deps.table.query(keys.reasonSums(property, job))).items.map(parseSums),
  countBatches: async ({ property, id }, batches) => {
    // Before the tallies: the repair takes a batch that its tally counts for one that is counted everywhere.
    await sumReasons(deps, { property, id }, batches.filter(hasReasons));
    const groups = Map.groupBy(batches, tallyNameOf);
    await mapLimited([...groups], TALLIES_AT_ONCE, ([name, group]) =>
      changeItem(deps, { key: keys.tally(property, id, name), what: 'imports: a tally' }, (item) => {
        const before = item ? parseTally(item) : emptyTally;
        const after = group.reduce(counted, before);
        return { result: undefined, ...(after === before ? {} : { set: { ...after } }) };
      }),
    );
  },
  nextSlot: async ({ property, id }) => (await deps.table.increment(keys.slots(property, id), 1)) - 1,
});

const sumReasons = async (
  deps: ChangeItemDeps,
  { property, id }: Pick<ImportJob, 'property' | 'id'>,
  batches: readonly CountedBatch[],
): Promise<void> => {
  const groups = Map.groupBy(batches, reasonSumsName);
  await mapLimited([...groups], TALLIES_AT_ONCE, ([name, group]) =>
    changeItem(
      deps,
      { key: keys.reasonSum(property, id, name), what: 'imports: the reasons of a job' },
      (item) => {
        const before = item ? parseSums(item) : noReasonSums;
        const after = group.reduce(withReasons, before);
        return { result: undefined, ...(after === before ? {} : { set: { ...after } }) };
      },
    ),
  );
};

const parseSums = (item: StoredItem): ReasonSums => v.parse(reasonSumsItem, item);
const parseTally = (item: StoredItem): Tally => v.parse(tallyItem, item);

/** Fewer and larger items than the tallies: only batches with refused or warned rows write them. */
const slots = { perItem: 8_192, spread: 4 } as const;
const summed = bitSet(slots);

/** Schema of the item with the sums of a group of batches. */
const reasonSumsItem = v.object({
  /** One bit for each batch whose retried rows are subtracted, and whose result is added. */
  retried: summed.schema,
  finished: summed.schema,
  refusedBy: reasonList,
  warnedBy: reasonList,
});

/** The sums over a group of batches. */
export type ReasonSums = Readonly<v.InferOutput<typeof reasonSumsItem>>;

/** The parts of a batch that the sums depend on. */
export type ReasonedBatch = Pick<Batch, 'slot' | 'source' | 'retry' | 'result'>;

/** Sums without batches. */
export const noReasonSums: ReasonSums = {
  retried: summed.empty(),
  finished: summed.empty(),
  refusedBy: [],
  warnedBy: [],
};

/** The name of the sums of a batch in its job. */
export const reasonSumsName = (batch: Pick<Batch, 'slot' | 'source'>): string => slotName(slots, batch);

/** Whether a batch changes any sums. Most batches do not. */
const hasReasons = ({ retry, result }: ReasonedBatch): boolean =>
  [retry?.refusedBy, result?.refusedBy, result?.warnedBy].some((reasons) => (reasons?.length ?? 0) > 0);

/** Adds a batch in the state in which it was read. A state that was added already changes nothing. */
export const withReasons = (sums: ReasonSums, { slot, retry, result }: ReasonedBatch): ReasonSums => {
  let after = sums;
  if (retry && !summed.has(after.retried, slot)) {
    after = {
      ...after,
      retried: summed.with(after.retried, slot),
      refusedBy: [...addReasons(after.refusedBy, retry.refusedBy)],
    };
  }
  if (result && !summed.has(after.finished, slot)) {
    after = {
      ...after,
      finished: summed.with(after.finished, slot),
      refusedBy: [...addReasons(after.refusedBy, result.refusedBy)],
      warnedBy: [...addReasons(after.warnedBy, result.warnedBy)],
    };
  }
  return after;
};

/** The reasons of a job, from all its sums. */
export const reasonsOfJob = (
  all: readonly ReasonSums[],
): { readonly refusedBy: readonly Reason[]; readonly warnedBy: readonly Reason[] } => ({
  refusedBy: all.map(({ refusedBy }) => refusedBy).reduce<readonly Reason[]>(addReasons, []),
  warnedBy: all.map(({ warnedBy }) => warnedBy).reduce<readonly Reason[]>(addReasons, []),
});
