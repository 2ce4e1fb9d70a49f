/**
 * Restatements: keeps the records that restate stored profiles beside the people whom they are about, and merges them for
 * whoever writes an older value there. An item has the records of one write about the people of one block.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { emptyState, mergeStates, type State } from '../profiles/profile-state.ts';
import { DAY_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { mapLimited } from '../runtime/pool.ts';
import { blockOf, keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { holdsAll, type Restatement } from './restatement.ts';
import {
  cheapestWrites,
  recordsIn,
  recordsWithout,
  restatedJobs,
  type CheapestWrites,
  type RestatementBlock,
} from './restatement-block.ts';
import { itemsOf, pagesOf } from '../runtime/pages.ts';

/** Restatements as writers and undos of profiles use them. */
export interface Restatements {
  /** Chooses what is stored for restatements: blocks, or the profiles. */
  readonly choose: (restatements: readonly Restatement[]) => CheapestWrites;
  /**
   * Stores blocks of restatements. `name` is unique per call, and made of ids. Returns those of the restated jobs that are
   * being undone, or were undone: their undo may not see the blocks, so the writer plans again. Otherwise the writer looks
   * whether the profiles are still as they were.
   */
  add(property: number, name: string, blocks: readonly RestatementBlock[]): Promise<ReadonlySet<number>>;
  /**
   * What restated these profiles, by ordinal, with values at least as new as `since`: the merge of all records but those
   * of undone jobs. A record counts only at a profile that has all of its identities.
   */
  over(
    property: number,
    since: HybridTimestamp,
    profiles: ReadonlyMap<number, State>,
  ): Promise<ReadonlyMap<number, State>>;
  /**
   * The newest time of what restated these people or their neighbours, if it is not before `since`. A request is later
   * than everything that was stored when it began, also than what only a restatement says.
   */
  newest(
    property: number,
    since: HybridTimestamp,
    ordinals: readonly number[],
  ): Promise<HybridTimestamp | undefined>;
}

/** Ports of restatements. */
export interface RestatementsDeps {
  readonly table: Pick<Table, 'writeMany' | 'query'>;
  readonly clock: Clock;
  /** Those of the jobs of a property whose undo has begun. */
  readonly undoneAmong: (property: number, jobs: readonly number[]) => Promise<ReadonlySet<number>>;
}

const KEPT_MS = limits.imports.restatementDays * DAY_MS;

const BLOCKS_AT_ONCE = 8;

/** Behind the time in a sort key. */
const SEPARATOR = '#';

const timeOf = (sk: string): HybridTimestamp => sk.slice(0, sk.indexOf(SEPARATOR));

const restatementItem = v.object({ job: v.number(), records: v.instance(Uint8Array) });

/** The restatements in the table. */
export const restatementsIn = ({ table, clock, undoneAmong }: RestatementsDeps): Restatements => ({
  choose: cheapestWrites,
  add: async (property, name, blocks) => {
    if (blocks.length === 0) return new Set();
    const ttl = ttlAt(clock() + KEPT_MS);
    await table.writeMany(
      blocks.map(({ block, job, newest, records }, part) => ({
        kind: 'insert',
        key: keys.restatement(property, block, `${newest}${SEPARATOR}${name}-${part}`),
        set: { job, records, ttl },
      })),
    );
    // An undo marks its job before it reads. So either the undo finds the blocks, or this read finds the mark.
    return undoneAmong(property, restatedJobs(blocks));
  },
  over: async (property, since, profiles) => {
    const found = new Map<number, State>();
    const marks = new Map<number, Promise<ReadonlySet<number>>>();
    const isUndone = async (job: number): Promise<boolean> => {
      const known = marks.get(job) ?? undoneAmong(property, [job]);
      marks.set(job, known);
      return (await known).has(job);
    };
    const merge = (bytes: Uint8Array): void => {
      for (const { ordinal, record } of recordsIn(bytes)) {
        const profile = profiles.get(ordinal);
        if (profile && holdsAll(profile, record))
          found.set(ordinal, mergeStates(found.get(ordinal) ?? emptyState, record));
      }
    };
    const blocks = [...new Set([...profiles.keys()].map(blockOf))];
    await mapLimited(blocks, BLOCKS_AT_ONCE, async (block) => {
      const { pk, sk: from } = keys.restatement(property, block, since);
      for await (const item of itemsOf((after) => table.query(pk, { from, after }))) {
        const { job, records } = v.parse(restatementItem, item);
        if (!(await isUndone(job))) merge(records);
      }
    });
    return found;
  },
  newest: newestIn(table),
});

const newestIn =
  (table: Pick<Table, 'query'>): Restatements['newest'] =>
  async (property, since, ordinals) => {
    const pages = await mapLimited([...new Set(ordinals.map(blockOf))], BLOCKS_AT_ONCE, (block) => {
      const { pk, sk: from } = keys.restatement(property, block, since);
      return table.query(pk, { from, descending: true, limit: 1 });
    });
    const times = pages.flatMap(({ items }) => items.map(({ sk }) => timeOf(sk)));
    return times.sort().at(-1);
  };

/**
 * Removes people from the restatements of their block. An item keeps its expiry; one without anybody is deleted, because
 * no reader expects an item. Returns the number of changed items; `undefined` when another writer was faster: then the
 * caller looks again later.
 */
export const removeRestated = async (
  table: Pick<Table, 'query' | 'writeMany'>,
  property: number,
  block: number,
  ordinals: ReadonlySet<number>,
): Promise<number | undefined> => {
  let changed = 0;
  const { pk: partition } = keys.restatement(property, block, '');
  for await (const items of pagesOf((after) => table.query(partition, { after }))) {
    const writes = items.flatMap(({ pk, sk, w, ...item }): Write[] => {
      const { removed, rest } = recordsWithout(v.parse(restatementItem, item).records, ordinals);
      if (removed === 0) return [];
      const same = { key: { pk, sk }, expect: { w } };
      return [rest ? { kind: 'update', ...same, set: { records: rest } } : { kind: 'delete', ...same }];
    });
    if ((await table.writeMany(writes)).includes('refused')) return undefined;
    changed += writes.length;
  }
  return changed;
};

/** For rehearsals: every record with a newer time is written, and there is nothing that another writer has kept. */
export const noRestatements: Restatements = {
  choose: (restatements) => ({ blocks: [], written: new Set(restatements) }),
  add: () => Promise.resolve(new Set()),
  over: () => Promise.resolve(new Map()),
  newest: () => Promise.resolve(undefined),
};

/** For writers behind requests: they keep none, and merge none, because they are later than all that were stored. */
export const restatementsOfRequests = (table: Pick<Table, 'query'>): Restatements => ({
  ...noRestatements,
  newest: newestIn(table),
});
