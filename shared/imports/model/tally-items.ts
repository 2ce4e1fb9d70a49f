/** Tally items: the tallies of a job in the table, for the import repository. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { changeItem } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table } from '../../table/table.ts';
import type { ImportJob } from './import-job.ts';
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
  countBatches: async ({ property, id }, batches) => {
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

const parseTally = (item: StoredItem): Tally => v.parse(tallyItem, item);
