/**
 * Journal: a write-ahead log of memberships that may change, for writers of profiles and the drainer. A writer opens an
 * entry, then writes profiles, then closes the entry and indexes it or leaves that to the drainer. So no change is lost
 * when a writer dies.
 */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { Pair } from '../catalogue/types.ts';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { groupOf, keys, type Key, JOURNAL_PARTITIONS } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import type { Table, Write, Range } from '../table/table.ts';
import { mapLimited } from '../runtime/pool.ts';
import { blocksIn, countOfPairs, encodePairs, pairName, pairsBehind, type Pairs } from './pairs.ts';

const LIFE_MS = limits.segments.journalSeconds * 1000;

/** An item of an entry: the pairs of one group, or some of them. */
export interface JournalItem extends Key {
  readonly group: number;
}

/** How an entry is opened. */
export interface EntryOptions {
  /** Who drains the entry; by default the drainer. */
  readonly lane?: Lane;
  /** The ordinal of the person, when the writer is a forgetting. Only the drainer finishes forgettings. */
  readonly forgets?: number;
}

/** The entry of one writer: items of pairs, by group. Each item is indexed and retired on its own. */
export interface JournalEntry {
  readonly property: number;
  readonly attemptId: string;
  /** Epoch milliseconds of opening. */
  readonly opened: number;
  /** Epoch milliseconds at which the entry may be retired even if its writer has not closed it. */
  readonly until: number;
  /**
   * Epoch milliseconds, a margin before `until`. The writer sends no profile write after this time, like the holder of
   * a lease.
   */
  readonly writeUntil: number;
  readonly items: readonly JournalItem[];
  readonly lane: Lane;
  readonly forgets?: number;
}

export interface Journal {
  /** Opens an entry with pairs, before their profiles are written. `attemptId` is unique per attempt, and made of ids. */
  open(property: number, attemptId: string, pairs: Pairs, options?: EntryOptions): Promise<JournalEntry>;
  /**
   * Announces memberships that no writer of a profile has, for a fill: an entry that is closed from its beginning, for the
   * drainer. `attemptId` as for `open`. Returns the items, of which `left` tells how many the drainer has not retired yet.
   */
  announce(property: number, attemptId: string, pairs: Pairs): Promise<readonly JournalItem[]>;
  /** Adds pairs to an entry, before a profile write is retried. The end of its life stays. */
  extend(entry: JournalEntry, pairs: Pairs): Promise<JournalEntry>;
  /**
   * Closes an entry: the writer sends no further profile write, so the entry may be indexed and retired. Returns
   * whether all items were still there. A drainer may have indexed a missing item before the writer's last profile
   * write.
   */
  close(entry: JournalEntry): Promise<boolean>;
  /** The items of an entry that are not retired yet. */
  left(items: readonly JournalItem[]): Promise<readonly JournalItem[]>;
  /** Removes an entry whose writer has closed it and has indexed all its pairs since. */
  retire(entry: JournalEntry): Promise<void>;
  /** Entries of a group that may be retired once indexed: closed, or past their time by a margin. In one lane, or in both. */
  ripe(property: number, group: number, lane?: Lane): Promise<EntryBatch>;
  /** All entries of a group, ripe or not. */
  waiting(property: number, group: number): Promise<EntryBatch>;
  /** The pairs with these ordinals in any entry, ripe or not, each once. */
  pairsWith(property: number, ordinals: readonly number[]): Promise<readonly Pair[]>;
  /** Removes entries that were indexed after they were read as ripe. Entries that have changed since stay. */
  retireEntries(entries: readonly StoredEntry[]): Promise<void>;
  /**
   * Truncates entries that were read as ripe to the ordinals above `through`, once the rest is indexed. Changed entries
   * stay.
   */
  truncateEntries(entries: readonly StoredEntry[], through: number): Promise<void>;
  /**
   * Groups with entries, ripe or not: of one property, or of all; with `openedBy` (epoch milliseconds of the writer's
   * clock) only groups with entries opened by then.
   */
  groups(property?: number, openedBy?: number): Promise<readonly JournalGroup[]>;
  /** Whether `groups` would return nothing. Stops at the first group. */
  isEmpty(property: number, openedBy: number): Promise<boolean>;
}

/** The journal on the table. */
export const journal = ({ table, clock }: { table: Table; clock: Clock }): Journal => ({
  open: (property, attemptId, pairs, options = {}) =>
    append(table, newEntry({ property, attemptId, ...options }, clock()), pairs),
  announce: async (property, attemptId, pairs) =>
    (await append(table, newEntry({ property, attemptId }, clock()), pairs, true)).items,
  extend: (entry, pairs) => append(table, entry, pairs),
  close: async ({ items }) => {
    const set = { done: true };
    // Refused where the item was retired, or truncated, which also sets `done`.
    const expect = { done: false };
    const outcomes = await table.writeMany(items.map((key) => ({ kind: 'update', key, set, expect })));
    return !outcomes.includes('refused');
  },
  left: async (items) => {
    const found = await table.getMany(items);
    return items.filter((_, index) => found[index] !== undefined);
  },
  retire: async ({ items }) => {
    await table.writeMany(items.map((key) => ({ kind: 'delete', key, expect: {} })));
  },
  ripe: (property, group, lane) => readRipe(table, { property, group, lane }, clock()),
  // At the end of time every entry is ripe.
  waiting: (property, group) => readRipe(table, { property, group }, Number.POSITIVE_INFINITY),
  retireEntries: async (entries) => {
    await table.writeMany(
      entries.map(({ pk, sk, w }): Write => ({ kind: 'delete', key: { pk, sk }, expect: { w } })),
    );
  },
  truncateEntries: async (entries, through) => {
    await table.writeMany(
      entries.map(({ pk, sk, w, group, pairs }): Write => {
        const set = { pairs: pairsBehind(pairs, group, through), done: true };
        return { kind: 'update', key: { pk, sk }, set, expect: { w } };
      }),
    );
  },
  pairsWith: async (property, ordinals) => {
    const found = new Map<string, Pair>();
    const wanted = new Set(ordinals);
    for (const group of new Set(ordinals.map(groupOf))) {
      await eachEntry(table, { property, group }, ({ pairs }) => {
        for (const { segments, ordinals: named } of blocksIn(pairs, group)) {
          for (const ordinal of named.filter((one) => wanted.has(one))) {
            for (const segment of segments) {
              const pair = { segment, ordinal };
              found.set(pairName(pair), pair);
            }
          }
        }
        return true;
      });
    }
    return [...found.values()];
  },
  groups: (property, openedBy = Infinity) => readGroups(table, { property, openedBy, most: Infinity }),
  isEmpty: async (property, openedBy) =>
    (await readGroups(table, { property, openedBy, most: 1 })).length === 0,
});

const newEntry = (
  { lane = 'background', ...named }: Pick<JournalEntry, 'property' | 'attemptId'> & EntryOptions,
  opened: number,
): JournalEntry => {
  const until = opened + LIFE_MS;
  return { ...named, lane, opened, until, writeUntil: until - MARGIN_MS, items: [] };
};

/**
 * Appends pairs to an entry: an item for each group and 200 KB. Further items are as good as rewriting the existing items with the union,
 * because each pair is in an item that is retired only after the writer has closed the entry. `done`: they are closed from
 * their beginning.
 */
const append = async (
  table: Table,
  entry: JournalEntry,
  named: Pairs,
  done = false,
): Promise<JournalEntry> => {
  const { property, attemptId, opened, until, lane, forgets } = entry;
  const writes = encodePairs(named, limits.segments.journalEntryBytes).map(
    ({ group, pairs }, index): Insert => {
      const name = `${attemptId}#${entry.items.length + index}`;
      const set = { property, group, opened, until, done, pairs };
      const sort = { property, group, time: opened, name };
      return {
        kind: 'insert',
        key: { ...keys.journal(partitionOf(property, group, lane, attemptId), sort), group },
        set: forgets === undefined ? set : { ...set, forgets },
      };
    },
  );
  const outcomes = await table.writeMany(writes);
  if (outcomes.includes('refused')) throw new Error('journal: the attempt id was used before');
  return { ...entry, items: [...entry.items, ...writes.map(({ key }) => key)] };
};

type Insert = Extract<Write, { kind: 'insert' }> & { readonly key: JournalItem };

/**
 * Who drains an entry. `request`: a writer whose client waits; the waiting writers drain their own lane (group commit).
 * `background`: the drainer, some time later. Two lanes, so that no request reads or indexes the backlog of an import.
 */
const lanes = ['request', 'background'] as const;
export type Lane = (typeof lanes)[number];

/**
 * Partitions of a group in one lane. A look at a group reads all of them, at one read unit each at least. A thousand
 * requests a second cost each of them 375 of its 1,000 write units.
 */
const PER_LANE = 8;

/** The number that spreads a text over partitions. */
const numberOf = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 8), 16);

const partitionAt = (property: number, group: number, lane: Lane, at: number): number =>
  (numberOf(`${property} ${group}`) + lanes.indexOf(lane) * PER_LANE + at) % JOURNAL_PARTITIONS;

/** The partition of the entries of an attempt. */
export const partitionOf = (property: number, group: number, lane: Lane, attemptId: string): number =>
  partitionAt(property, group, lane, numberOf(attemptId) % PER_LANE);

/** All partitions that may have entries of a group in a lane. */
const partitionsOf = (property: number, group: number, lane: Lane): readonly string[] =>
  Array.from({ length: PER_LANE }, (_, at) => keys.journalPartition(partitionAt(property, group, lane, at)));

/**
 * All partitions that may have entries of a property: a quarter of them for the people of one group. Ordinals come from its
 * counter before an entry can name them.
 */
const partitionsWith = async (table: Table, property: number): Promise<readonly string[]> => {
  const last = groupOf(await readCounter(table, keys.counter(property, 'ordinal')));
  const found = new Set<string>();
  for (let group = 0; group <= last && found.size < JOURNAL_PARTITIONS; group += 1)
    for (const pk of lanes.flatMap((lane) => partitionsOf(property, group, lane))) found.add(pk);
  return [...found];
};

/** The partitions of the entries of all groups. */
const allPartitions: readonly string[] = Array.from({ length: JOURNAL_PARTITIONS }, (_, partition) =>
  keys.journalPartition(partition),
);

/** Allows for clock skew, and for profile writes that were sent but not yet applied. */
const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

/** Entries of one query page: 3 MB of pairs at most in the background; an entry of a request has a few hundred bytes. */
const PAGE: Readonly<Record<Lane, number>> = { request: 200, background: 16 };

/** Pairs in one read, about, which bound the memory of a drainer: it takes ten bytes for each, and 35 for some moments. */
const MAX_READ_PAIRS = 4_000_000;

/** Partitions read at once: their entries, or one entry of each, which needs little memory. */
const PARALLEL = { entries: 8, groups: 16 };

const storedEntry = v.object({
  pk: v.string(),
  sk: v.string(),
  w: v.string(),
  property: v.number(),
  group: v.number(),
  /** Stored with the entry, because another deployment may write entries with another time to live. */
  opened: v.number(),
  until: v.number(),
  done: v.boolean(),
  pairs: v.instance(Uint8Array),
  /** The person whom a forgetting removes, by ordinal. The drainer finishes the forgetting before it retires the entry. */
  forgets: v.exactOptional(v.number()),
});

/** An item of the journal. `w` identifies the state that was read. */
export type StoredEntry = v.InferOutput<typeof storedEntry>;

/** A group of ordinals with entries in the journal of a property. */
export interface JournalGroup {
  readonly property: number;
  readonly group: number;
}

/** Entries of a group. `more`: there are more than one read returns. */
interface EntryBatch {
  readonly entries: readonly StoredEntry[];
  readonly more: boolean;
}

/**
 * Whether an entry, as it was at `now`, may be retired by a drainer that starts indexing now: its writer sends no
 * further profile write, either because it has said so or because its time is long over.
 */
export const isRipe = ({ done, until }: Pick<StoredEntry, 'done' | 'until'>, now: number): boolean =>
  done || now > until + MARGIN_MS;

/** The entries to read: of a group, in one lane or in both. */
export interface JournalPlace extends JournalGroup {
  readonly lane?: Lane | undefined;
}

/** The entries of a group that are ripe at `now`, up to a number of pairs. */
const readRipe = async (table: Table, wanted: JournalPlace, now: number): Promise<EntryBatch> => {
  const entries: StoredEntry[] = [];
  let pairs = 0;
  const isWhole = await eachEntry(table, wanted, (entry) => {
    if (pairs >= MAX_READ_PAIRS) return false;
    if (isRipe(entry, now)) {
      entries.push(entry);
      pairs += countOfPairs(entry.pairs, wanted.group);
    }
    return true;
  });
  return { entries, more: !isWhole };
};

/** Visits the entries of a group until `visit` returns `false`; returns whether it has visited all. */
const eachEntry = async (
  table: Table,
  { property, group, lane }: JournalPlace,
  visit: (entry: StoredEntry) => boolean,
): Promise<boolean> => {
  const prefix = keys.journalPrefix(property, group);
  let goesOn = true;
  const places = (lane ? [lane] : lanes).flatMap((one) =>
    partitionsOf(property, group, one).map((pk) => ({ pk, limit: PAGE[one] })),
  );
  await mapLimited(places, PARALLEL.entries, async ({ pk, limit }) => {
    let after: string | undefined;
    while (goesOn) {
      const page = await table.query(pk, { prefix, limit, ...(after === undefined ? {} : { after }) });
      goesOn &&= page.items.map((item) => v.parse(storedEntry, item)).every(visit);
      after = page.next;
      if (after === undefined) return;
    }
  });
  return goesOn;
};

/** A request for groups: of one property or of all, with entries opened by a time, up to a number of groups. */
interface GroupsRequest {
  readonly property: number | undefined;
  readonly openedBy: number;
  readonly most: number;
}

/** Groups with entries. Skips from one group to the next, so that it never reads through a long journal. */
const readGroups = async (
  table: Table,
  { property, openedBy, most }: GroupsRequest,
): Promise<readonly JournalGroup[]> => {
  const found = new Map<string, JournalGroup>();
  const whole = property === undefined ? undefined : keys.journalPrefix(property);
  const partitions = property === undefined ? allPartitions : await partitionsWith(table, property);
  await mapLimited(partitions, PARALLEL.groups, async (pk) => {
    let range: Range = whole === undefined ? {} : { from: whole, to: `${whole}~` };
    while (found.size < most) {
      const { items } = await table.query(pk, { ...range, limit: 1 });
      if (!items[0]) return;
      const entry = v.parse(storedEntry, items[0]);
      // The first entry of a group is the oldest, because entries sort by their opening.
      if (entry.opened <= openedBy) found.set(keys.journalPrefix(entry.property, entry.group), entry);
      range = { ...range, from: keys.journalPrefix(entry.property, entry.group + 1) };
    }
  });
  return [...found.values()].map(({ property: owner, group }) => ({ property: owner, group }));
};
