import { hash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import { groupOf, JOURNAL_PARTITIONS, keys, type Key } from '../table/keys.ts';
import type { Range, StoredItem, Table, Write } from '../table/table.ts';
import { encodePairs, pairsBehind, pairsByGroup, visitPairs } from './pairs.ts';
import type { Pair } from '../catalogue/types.ts';

const LIFE_MS = limits.segments.journalSeconds * 1000;
const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;
/** Entries of one query page: 3 MB of pairs at most. */
const PAGE = 16;
/** Bytes of pairs that one look at the journal takes, so that a drainer's memory is bounded: about four million pairs. */
const MAX_WAITING_BYTES = 6_000_000;

/** The announcement of one writer: items of pairs, by group, that are indexed and retired each on its own. */
export interface JournalEntry {
  readonly property: number;
  readonly cause: string;
  /** Epoch milliseconds of opening. */
  readonly opened: number;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Epoch milliseconds, a margin before `until`: no profile write is sent later. */
  readonly writeUntil: number;
  readonly items: readonly Key[];
  readonly forgets?: number;
}

const storedEntry = v.object({
  pk: v.string(),
  sk: v.string(),
  w: v.string(),
  property: v.number(),
  group: v.number(),
  /** With the item, because another deployment may know entries of another life. */
  opened: v.number(),
  until: v.number(),
  done: v.boolean(),
  pairs: v.instance(Uint8Array),
  /** Ordinal of the person whose forgetting the entry announces: to be finished before the item is retired. */
  forgets: v.exactOptional(v.number()),
});
/** An item of the journal as read. `w` names the state that was seen. */
export type StoredEntry = v.InferOutput<typeof storedEntry>;

/** A property and group with something in the journal. */
export interface JournalGroup {
  readonly property: number;
  readonly group: number;
}

/** What is ripe in the journal of a group. `more`: there is more than one look takes. */
export interface Waiting {
  readonly entries: readonly StoredEntry[];
  readonly more: boolean;
}

/** The journal of memberships that may change. A change is: journal, then profile writes, then index. */
export interface Journal {
  /**
   * Announces pairs before their profiles are written. `cause` is unique per attempt, made of ids. `forgets` is the ordinal
   * of a person who is about to be forgotten.
   */
  open(property: number, cause: string, pairs: readonly Pair[], forgets?: number): Promise<JournalEntry>;
  /** Makes an entry hold further pairs, before a profile write is tried again. The end of its life stays. */
  extend(entry: JournalEntry, pairs: readonly Pair[]): Promise<JournalEntry>;
  /**
   * Says that the writer sends no further profile write: the entry may be indexed and retired. Answers whether all of it was
   * still there; what a drainer took away before may have been indexed before the writer's last profile write.
   */
  done(entry: JournalEntry): Promise<boolean>;
  /** Removes an entry whose writer is done and has itself indexed all its pairs since. */
  retire(entry: JournalEntry): Promise<void>;
  /** Items of a group that may be retired once indexed: their writer is done, or its time long over. */
  ripe(property: number, group: number): Promise<Waiting>;
  /** Items of a group, ripe or not. */
  waiting(property: number, group: number): Promise<Waiting>;
  /** Segments that any item, ripe or not, names together with an ordinal. */
  segmentsWith(property: number, ordinal: number): Promise<readonly number[]>;
  /** Removes items that were indexed after they were seen ripe; one that has changed since stays. */
  retireEntries(entries: readonly StoredEntry[]): Promise<void>;
  /**
   * Leaves of items that were seen ripe what is behind an ordinal, when all up to that ordinal was indexed since; one that has
   * changed since stays.
   */
  truncateEntries(entries: readonly StoredEntry[], through: number): Promise<void>;
  /**
   * Groups with items, ripe or not: of one property, or of all; those that were opened by a time only (epoch
   * milliseconds of the opener's clock) when one is given.
   */
  groups(property?: number, openedBy?: number): Promise<readonly JournalGroup[]>;
  /** Whether a property has any such item: the same question, answered at the first one found. */
  isEmpty(property: number, openedBy: number): Promise<boolean>;
}

/** Whether an item, as it stands at `now`, may be retired after an indexing that starts now. */
export const isRipe = ({ done, until }: Pick<StoredEntry, 'done' | 'until'>, now: number): boolean =>
  done || now > until + MARGIN_MS;

/** The journal on the table. */
export const journal = ({ table, clock }: { table: Table; clock: Clock }): Journal => ({
  open: (property, cause, pairs, forgets) => {
    const opened = clock();
    const until = opened + LIFE_MS;
    const entry = { property, cause, opened, until, writeUntil: until - MARGIN_MS, items: [] };
    return append(table, forgets === undefined ? entry : { ...entry, forgets }, pairs);
  },
  extend: (entry, pairs) => append(table, entry, pairs),
  done: async ({ items }) => {
    const set = { done: true };
    // Refused where the item was retired, or was cut, which marks it as done.
    const expect = { done: false };
    const outcomes = await table.writeMany(items.map((key) => ({ kind: 'update', key, set, expect })));
    return !outcomes.includes('refused');
  },
  retire: async ({ items }) => {
    await table.writeMany(items.map((key) => ({ kind: 'delete', key, expect: {} })));
  },
  ripe: (property, group) => readRipe(table, { property, group }, clock()),
  // At the end of time everything is ripe.
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
  segmentsWith: async (property, ordinal) => {
    const found = new Set<number>();
    await eachEntry(table, { property, group: groupOf(ordinal) }, ({ pairs, group }) => {
      visitPairs(pairs, group, (segment, other) => {
        if (other === ordinal) found.add(segment);
      });
      return true;
    });
    return [...found];
  },
  groups: (property, openedBy = Infinity) => readGroups(table, { property, openedBy, most: Infinity }),
  isEmpty: async (property, openedBy) =>
    (await readGroups(table, { property, openedBy, most: 1 })).length === 0,
});

/**
 * Adds items with these pairs to an entry, an item per group and 200 KB. To extend an entry by further items holds the
 * same as rewriting it with the union: each pair stands in an item that is retired only after the writer is done.
 */
const append = async (table: Table, entry: JournalEntry, pairs: readonly Pair[]): Promise<JournalEntry> => {
  const { property, cause, opened, until, forgets } = entry;
  const writes = [...pairsByGroup(pairs)]
    .flatMap(([group, members]) =>
      encodePairs(members, limits.segments.journalEntryBytes).map((bytes) => ({ group, bytes })),
    )
    .map(({ group, bytes }, index): Write => {
      const name = `${cause}#${entry.items.length + index}`;
      return {
        kind: 'insert',
        key: keys.journal(partitionOf(property, group, cause), { property, group, time: opened, name }),
        set: {
          property,
          group,
          opened,
          until,
          done: false,
          pairs: bytes,
          ...(forgets === undefined ? {} : { forgets }),
        },
      };
    });
  const outcomes = await table.writeMany(writes);
  if (outcomes.includes('refused')) throw new Error('journal: the cause was used before');
  return { ...entry, items: [...entry.items, ...writes.map(({ key }) => key)] };
};

const partitionOf = (property: number, group: number, cause: string): number =>
  Number.parseInt(hash('sha256', `${property} ${group} ${cause}`).slice(0, 8), 16) % JOURNAL_PARTITIONS;

const partitions = Array.from({ length: JOURNAL_PARTITIONS }, (_, partition) =>
  keys.journalPartition(partition),
);

const readRipe = async (table: Table, wanted: JournalGroup, now: number): Promise<Waiting> => {
  const entries: StoredEntry[] = [];
  let bytes = 0;
  const isWhole = await eachEntry(table, wanted, (entry) => {
    if (bytes >= MAX_WAITING_BYTES) return false;
    if (isRipe(entry, now)) {
      entries.push(entry);
      bytes += entry.pairs.length;
    }
    return true;
  });
  return { entries, more: !isWhole };
};

/** Visits the items of a group until `visit` answers that it wants no more; says whether it has had all. */
const eachEntry = async (
  table: Table,
  { property, group }: JournalGroup,
  visit: (entry: StoredEntry) => boolean,
): Promise<boolean> => {
  const prefix = keys.journalPrefix(property, group);
  let goesOn = true;
  await mapLimited(partitions, PARALLEL, async (pk) => {
    let after: string | undefined;
    while (goesOn) {
      const page = await table.query(pk, { prefix, limit: PAGE, ...(after === undefined ? {} : { after }) });
      goesOn &&= page.items.map(parseEntry).every(visit);
      after = page.next;
      if (after === undefined) return;
    }
  });
  return goesOn;
};

const parseEntry = (item: StoredItem): StoredEntry => v.parse(storedEntry, item);

/** Partitions read at once. */
const PARALLEL = 8;

/** Skips from one group to the next, so that a long journal is not read through, and stops at `most`. */
const readGroups = async (
  table: Table,
  { property, openedBy, most }: { property: number | undefined; openedBy: number; most: number },
): Promise<readonly JournalGroup[]> => {
  const found = new Map<string, JournalGroup>();
  const whole = property === undefined ? undefined : keys.journalPrefix(property);
  await mapLimited(partitions, PARALLEL, async (pk) => {
    let range: Range = whole === undefined ? {} : { from: whole, to: `${whole}~` };
    while (found.size < most) {
      const { items } = await table.query(pk, { ...range, limit: 1 });
      if (!items[0]) return;
      const entry = parseEntry(items[0]);
      // The first of a group is the oldest, since items sort by their opening.
      if (entry.opened <= openedBy) found.set(keys.journalPrefix(entry.property, entry.group), entry);
      range = { ...range, from: keys.journalPrefix(entry.property, entry.group + 1) };
    }
  });
  return [...found.values()].map(({ property: owner, group }) => ({ property: owner, group }));
};
