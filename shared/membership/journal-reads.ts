/** Journal reads: find the entries of the write-ahead journal by group. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { mapLimited } from '../runtime/pool.ts';
import { keys } from '../table/keys.ts';
import type { Range, Table } from '../table/table.ts';
import { allPartitions, lanes, partitionsOf, type Lane } from './journal-partitions.ts';

/** Allows for clock skew, and for profile writes that were sent but not yet applied. */
export const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

/** Entries of one query page: 3 MB of pairs at most in the background; an entry of a request has a few hundred bytes. */
const PAGE: Readonly<Record<Lane, number>> = { request: 200, background: 16 };

/** Bytes of pairs in one read, which bound the memory of a drainer: about four million pairs. */
const MAX_READ_BYTES = 6_000_000;

/** Partitions read at once. */
const PARALLEL = 8;

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
export interface EntryBatch {
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

/** The entries of a group that are ripe at `now`, up to a number of bytes. */
export const readRipe = async (table: Table, wanted: JournalPlace, now: number): Promise<EntryBatch> => {
  const entries: StoredEntry[] = [];
  let bytes = 0;
  const isWhole = await eachEntry(table, wanted, (entry) => {
    if (bytes >= MAX_READ_BYTES) return false;
    if (isRipe(entry, now)) {
      entries.push(entry);
      bytes += entry.pairs.length;
    }
    return true;
  });
  return { entries, more: !isWhole };
};

/** Visits the entries of a group until `visit` returns `false`; returns whether it has visited all. */
export const eachEntry = async (
  table: Table,
  { property, group, lane }: JournalPlace,
  visit: (entry: StoredEntry) => boolean,
): Promise<boolean> => {
  const prefix = keys.journalPrefix(property, group);
  let goesOn = true;
  const places = (lane ? [lane] : lanes).flatMap((one) =>
    partitionsOf(property, group, one).map((pk) => ({ pk, limit: PAGE[one] })),
  );
  await mapLimited(places, PARALLEL, async ({ pk, limit }) => {
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
export const readGroups = async (
  table: Table,
  { property, openedBy, most }: GroupsRequest,
): Promise<readonly JournalGroup[]> => {
  const found = new Map<string, JournalGroup>();
  const whole = property === undefined ? undefined : keys.journalPrefix(property);
  await mapLimited(allPartitions, PARALLEL, async (pk) => {
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
