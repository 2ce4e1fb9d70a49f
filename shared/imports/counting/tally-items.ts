/** Tally items: the tallies of a job in the table, for the import repository. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { changeItem, type ChangeItemDeps } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table } from '../../table/table.ts';
import type { ImportJob } from '../items/import-job.ts';
import {
  hasReasons,
  noReasonSums,
  type ReasonSums,
  reasonSumsItem,
  reasonSumsName,
  withReasons,
} from './reason-sums.ts';
import {
  counted,
  type CountedBatch,
  emptyTally,
  type NamedTally,
  type Tally,
  tallyItem,
  tallyNameOf,
} from './tally.ts';

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
