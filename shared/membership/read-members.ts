/**
 * Member reads: read the members of an expression, chunk by chunk or group by group, as they come or as a snapshot of each
 * chunk, and count them exactly.
 */
import { everyoneId } from '../catalogue/identity.ts';
import { limits } from '../config/limits.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import type { Pause } from '../runtime/pause.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import { retryRemaining } from '../runtime/retry.ts';
import { CHUNKS_PER_GROUP, chunkOf, keys, ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { countBits, membersIn, type Bits, readDirectories, isEmpty } from './chunk.ts';
import {
  evaluate,
  openSources,
  planExpression,
  segmentsIn,
  type MembersOf,
  type Sources,
} from './expression-plan.ts';

/** The members of an expression in one chunk of 4,096 ordinals; `base` is the ordinal of the first bit. */
export interface MemberChunk {
  readonly base: number;
  readonly bits: Bits;
}

/** A chunk of an expression, and the members of each of its segments in this chunk. */
export interface DetailedChunk extends MemberChunk {
  readonly of: (segment: number) => Bits;
}

/** Chunks `first` to `last` of a group. */
export interface Window {
  readonly group: number;
  readonly first: number;
  readonly last: number;
}

export interface SnapshotDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** The first ordinal of a chunk. */
export const ordinalOf = (group: number, chunk: number): number =>
  (group * CHUNKS_PER_GROUP + chunk) * ORDINALS_PER_CHUNK;

/** Chunk items by segment and number. */
type Items = ReadonlyMap<number, ReadonlyMap<number, StoredItem>>;

/**
 * The non-empty chunks of a window, ascending, with one query for each segment. The queries see the table at different
 * times: a person who moves from one segment to another in between may appear in neither.
 */
export const readWindow = async (table: Table, sources: Sources, window: Window): Promise<MemberChunk[]> => {
  const items = await queryItems(table, sources, window);
  return chunksOf(sources, window.group, numbered(items));
};

/** Items under the numbers of all their chunks. */
const numbered = (items: Items): ReadonlyMap<number, Items> => {
  const numbers = new Set([...items.values()].flatMap((chunks) => [...chunks.keys()]));
  return new Map([...numbers].map((number) => [number, items]));
};

/**
 * The same as a snapshot of each chunk, by double collect: reads all items of a chunk twice in a row. Where no item
 * differs, all of them had the same state at every time between the two reads. Chunks that changed are read twice again
 * after a pause, a few at a time, so that little time passes between the two reads. Throws `UnavailableError` when a
 * chunk never stays unchanged for two reads.
 */
const readSnapshotWindow = async (
  { table, pause }: SnapshotDeps,
  sources: Sources,
  window: Window,
): Promise<MemberChunk[]> => {
  const { group, first, last } = window;
  if (sources.segments.length === 1) return readWindow(table, sources, window);
  const stable = new Map<number, Items>();
  /** Keeps the chunks that stay unchanged for two reads, and returns the others. */
  const keepStable = async (
    numbers: readonly number[],
    read: () => Promise<Items>,
  ): Promise<readonly number[]> => {
    const before = noncesOf(await read());
    const items = await read();
    const after = noncesOf(items);
    const changed = new Set(numbers.filter((number) => differs(sources, number, before, after)));
    for (const number of numbers) if (!changed.has(number)) stable.set(number, items);
    return [...changed];
  };
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const atOnce = Math.max(Math.floor(ITEMS_READ_AGAIN / sources.segments.length), 1);
  await retryRemaining({ pause, what: 'membership: chunks of a combination' }, all, async (open, round) => {
    if (round === 0) return keepStable(open, () => queryItems(table, sources, window));
    const left: number[] = [];
    for (const numbers of batchesOf(open, atOnce))
      left.push(...(await keepStable(numbers, () => readItems(table, sources, { group, numbers }))));
    return left;
  });
  return chunksOf(sources, group, stable);
};

/** Items that are read at once when chunks have changed: one request to DynamoDB, unless a single chunk has more items. */
const ITEMS_READ_AGAIN = 100;

const queryItems = async (
  table: Table,
  { property, segments }: Sources,
  { group, first, last }: Window,
): Promise<Items> =>
  new Map(
    await Promise.all(
      segments.map(async (segment) => {
        const { pk, sk: from } = keys.chunk(property, segment, group, first);
        const { sk: to } = keys.chunk(property, segment, group, last);
        const { items } = await table.query(pk, { from, to });
        return [segment, new Map(items.map((item) => [Number(item.sk), item]))] as const;
      }),
    ),
  );

const readItems = async (
  table: Table,
  { property, segments }: Sources,
  { group, numbers }: { readonly group: number; readonly numbers: readonly number[] },
): Promise<Items> => {
  const wanted = segments.flatMap((segment) =>
    numbers.map((number) => keys.chunk(property, segment, group, number)),
  );
  const items = await table.getMany(wanted);
  return new Map(
    segments.map((segment, at) => {
      const own = numbers.flatMap((number, index) => {
        const item = items[at * numbers.length + index];
        return item ? [[number, item] as const] : [];
      });
      return [segment, new Map(own)] as const;
    }),
  );
};

/** The nonces of chunk items by segment and number. Nothing more is kept of a first read. */
type Nonces = ReadonlyMap<number, ReadonlyMap<number, string>>;

const noncesOf = (items: Items): Nonces =>
  new Map(
    [...items].map(([segment, chunks]) => [
      segment,
      new Map([...chunks].map(([number, { w }]) => [number, w] as const)),
    ]),
  );

const differs = ({ segments }: Sources, number: number, before: Nonces, after: Nonces): boolean =>
  segments.some((segment) => before.get(segment)?.get(number) !== after.get(segment)?.get(number));

/** The non-empty chunks of a group, ascending, computed from their items. */
const chunksOf = ({ plan }: Sources, group: number, items: ReadonlyMap<number, Items>): MemberChunk[] =>
  [...items]
    .sort(([a], [b]) => a - b)
    .map(([number, read]) => ({
      base: ordinalOf(group, number),
      bits: evaluate(plan, (segment) => {
        const item = read.get(segment)?.get(number);
        return item && membersIn(item);
      }),
    }))
    .filter(({ bits }) => !isEmpty(bits));

export interface MemberGroups {
  /** Groups that can have members, ascending. */
  readonly groups: readonly number[];
  /** The non-empty chunks of a group, ascending, read strongly; none for a group that is not in `groups`. */
  readonly read: (group: number) => Promise<readonly MemberChunk[]>;
}

/** Opens an expression: reads its directories now, and its chunks on demand. */
export const memberGroups = (table: Table, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(table, members, (sources, window) => readWindow(table, sources, window));

/**
 * Opens an expression for snapshot reads: each chunk of a combination shows all of its segments at one point in time.
 * Moments and exports store such chunks. With several segments it costs twice the reads. Throws `UnavailableError` when
 * a chunk never stays unchanged for two reads.
 */
export const snapshotGroups = (deps: SnapshotDeps, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(deps.table, members, (sources, window) => readSnapshotWindow(deps, sources, window));

/** The non-empty chunks of an expression in order of ordinal, read like those of `snapshotGroups`. */
export async function* snapshotChunks(deps: SnapshotDeps, members: MembersOf): AsyncGenerator<MemberChunk> {
  const source = await snapshotGroups(deps, members);
  for await (const chunks of mapAhead(source.groups, limits.segments.groupsAtOnce, source.read))
    yield* chunks;
}

const groupsBy = async (
  table: Table,
  members: MembersOf,
  read: (sources: Sources, window: Window) => Promise<readonly MemberChunk[]>,
): Promise<MemberGroups> => {
  const sources = await openSources(table, members);
  const whole = { first: 0, last: CHUNKS_PER_GROUP - 1 };
  const known = new Set(sources.groups);
  return {
    groups: sources.groups,
    read: (group) => (known.has(group) ? read(sources, { group, ...whole }) : Promise.resolve([])),
  };
};

/**
 * The non-empty chunks of an expression in order of ordinal, with the members of each of its segments: a query for each
 * segment in each group, as for a count. Groups are read ahead, side by side.
 */
export async function* detailedChunks(table: Table, members: MembersOf): AsyncGenerator<DetailedChunk> {
  const sources = await openSources(table, members);
  const whole = { first: 0, last: CHUNKS_PER_GROUP - 1 };
  const read = async (group: number) => ({
    group,
    items: await queryItems(table, sources, { group, ...whole }),
  });
  for await (const { group, items } of mapAhead(sources.groups, groupsAtOnce, read)) {
    for (const chunk of chunksOf(sources, group, numbered(items))) {
      const number = chunkOf(chunk.base);
      yield { ...chunk, of: (segment) => membersIn(items.get(segment)?.get(number)) };
    }
  }
}

const { countQueries, groupsAtOnce } = limits.segments;

/** The exact number of members. Groups are read side by side. */
export const countMembers = async (table: Table, members: MembersOf): Promise<number> => {
  const sources = await openSources(table, members);
  const counts = await mapLimited(sources.groups, groupsAtOnce, (group) => countGroup(table, sources, group));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** The exact number of members in one group: a query for each segment of the expression. */
export const countInGroup = (
  table: Table,
  { property, expression }: MembersOf,
  group: number,
): Promise<number> => {
  const plan = planExpression(property, expression);
  return countGroup(table, { property, plan, segments: [...segmentsIn(plan)], groups: [group] }, group);
};

const countGroup = async (table: Table, sources: Sources, group: number): Promise<number> => {
  const chunks = await readWindow(table, sources, { group, first: 0, last: CHUNKS_PER_GROUP - 1 });
  return chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);
};

/** The groups in which an expression can have members, ascending. */
export const groupsWith = async (table: Table, members: MembersOf): Promise<readonly number[]> =>
  (await openSources(table, members)).groups;

/** An expression of so few segments (a segment without another one) is cheap to count in a property of any size. */
const FEW_SEGMENTS = 2;

/** The fault of an expression that is too expensive to count. */
interface CostFault {
  readonly code: 'too_expensive';
  readonly detail: string;
}

/**
 * The fault of an expression that is too expensive to count in one request; undefined when it is cheap enough. A count
 * takes a query for each segment in each group that can have members. The check costs one read in a small property, and
 * otherwise the directories of all segments.
 */
export const costFault = async (
  table: Table,
  { property, expression }: MembersOf,
): Promise<CostFault | undefined> => {
  const { size } = segmentsIn(planExpression(property, expression));
  if (size <= FEW_SEGMENTS) return undefined;
  const everyone = everyoneId(property);
  const everywhere = (await readDirectories(table, property, [everyone])).get(everyone)?.length ?? 0;
  if (size * everywhere <= countQueries) return undefined;
  const groups = (await groupsWith(table, { property, expression })).length;
  return size * groups <= countQueries ? undefined : tooExpensive(size, groups);
};

const number = (value: number): string => value.toLocaleString('en');

const tooExpensive = (segments: number, groups: number): CostFault => ({
  code: 'too_expensive',
  detail:
    `Takes ${number(segments * groups)} queries of the index: ${number(segments)} segments, with profiles in ` +
    `${number(groups)} groups of ${number(ORDINALS_PER_GROUP)}. The limit is ${number(countQueries)} queries.`,
});
