import { chunkOf, CHUNKS_PER_GROUP, groupOf, ORDINALS_PER_CHUNK } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { countBits, offsetsFrom, setBit } from './chunk.ts';
import { readDirectories } from './directory.ts';
import {
  ordinalOf,
  readSnapshotWindow,
  readWindow,
  type MemberChunk,
  type Sources,
  type SnapshotDeps,
  type Window,
} from './read-window.ts';
import { groupsIn, planExpression, segmentsIn } from './expression-plan.ts';
import type { SegmentExpression } from '../catalogue/types.ts';

export type { MemberChunk } from './read-window.ts';

/** Whose members, and where. */
export interface MembersOf {
  readonly property: number;
  readonly target: SegmentExpression;
}

/** Chunks of the first query; each further one takes twice as many, up to a whole group, so that at most twice what is needed is read. */
const FIRST_WINDOW = 4;
const WINDOW_GROWTH = 2;

/**
 * How many queries a walk may take. The first window is always read, so that every walk comes further; where the next one
 * would take too many, the walk ends and `stoppedAt` says where to go on.
 */
export class WalkBudget {
  #left: number;
  #begun = false;
  #stoppedAt: number | undefined;

  constructor(queries: number) {
    this.#left = queries;
  }

  /** Border between the ordinals that were walked over and those that were not; undefined while nothing stopped the walk. */
  get stoppedAt(): number | undefined {
    return this.#stoppedAt;
  }

  /** Takes the queries of the next window, or stops the walk at an ordinal. */
  take(queries: number, at: number): boolean {
    if (this.#begun && queries > this.#left) this.#stoppedAt = at;
    this.#begun = true;
    this.#left -= queries;
    return this.#stoppedAt === undefined;
  }
}

/** Ordinals of a walk, from the first to the one before `before`. */
interface Span {
  readonly from?: number;
  readonly before?: number;
}

/**
 * Non-empty chunks of a target in order of ordinal, the first one from ordinal `from` on. Lazily: only the directories
 * and the chunks that are walked over are read, strongly.
 */
export async function* chunksFrom(
  table: Table,
  { property, target }: MembersOf,
  from = 0,
  budget?: WalkBudget,
): AsyncGenerator<MemberChunk> {
  const sources = await sourcesOf(table, property, target);
  let size = FIRST_WINDOW;
  for (const group of sources.groups.filter((one) => one >= groupOf(from))) {
    for (let first = group === groupOf(from) ? chunkOf(from) : 0; first < CHUNKS_PER_GROUP;) {
      const last = Math.min(first + size, CHUNKS_PER_GROUP) - 1;
      if (budget?.take(sources.segments.length, Math.max(from, ordinalOf(group, first))) === false) return;
      for (const chunk of await readWindow(table, sources, { group, first, last })) {
        const kept = keep(chunk, (ordinal) => ordinal >= from);
        if (kept) yield kept;
      }
      first = last + 1;
      size *= WINDOW_GROWTH;
    }
  }
}

/** The same backwards: the last chunk first, and in the first one given only ordinals below `before`. */
async function* chunksBefore(
  table: Table,
  { property, target }: MembersOf,
  { from = 0, before = 0 }: Span,
  budget?: WalkBudget,
): AsyncGenerator<MemberChunk> {
  if (before <= from) return;
  const end = before - 1;
  const sources = await sourcesOf(table, property, target);
  const walked = sources.groups.filter((one) => one >= groupOf(from) && one <= groupOf(end));
  let size = FIRST_WINDOW;
  for (const group of walked.reverse()) {
    const lowest = group === groupOf(from) ? chunkOf(from) : 0;
    for (let last = group === groupOf(end) ? chunkOf(end) : CHUNKS_PER_GROUP - 1; last >= lowest;) {
      const first = Math.max(last - size + 1, lowest);
      if (budget?.take(sources.segments.length, Math.min(before, ordinalOf(group, last + 1))) === false)
        return;
      for (const chunk of (await readWindow(table, sources, { group, first, last })).reverse()) {
        const kept = keep(chunk, (ordinal) => ordinal >= from && ordinal <= end);
        if (kept) yield kept;
      }
      last = first - 1;
      size *= WINDOW_GROWTH;
    }
  }
}

/** A target by groups of ordinals, for who walks over several of them at once. */
export interface MemberGroups {
  /** Groups that can have members, ascending. */
  readonly groups: readonly number[];
  /** The non-empty chunks of a group as they are now, ascending, read strongly; none outside of `groups`. */
  read(group: number): Promise<readonly MemberChunk[]>;
}

/** Opens a target to be read by groups: its directories are read now. */
export const memberGroups = (table: Table, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(table, members, (sources, window) => readWindow(table, sources, window));

/**
 * Opens a target to be read by groups, each chunk of a combination as it was at one moment: for what is kept. It costs twice
 * the reads where the target has several segments. Throws `UnavailableError` when a chunk never holds still.
 */
export const snapshotGroups = (deps: SnapshotDeps, members: MembersOf): Promise<MemberGroups> =>
  groupsBy(deps.table, members, (sources, window) => readSnapshotWindow(deps, sources, window));

/** The non-empty chunks of a target in order of ordinal, each of a combination as it was at one moment. See `snapshotGroups`. */
export async function* snapshotChunks(deps: SnapshotDeps, members: MembersOf): AsyncGenerator<MemberChunk> {
  const source = await snapshotGroups(deps, members);
  for (const group of source.groups) yield* await source.read(group);
}

const groupsBy = async (
  table: Table,
  { property, target }: MembersOf,
  read: (sources: Sources, window: Window) => Promise<readonly MemberChunk[]>,
): Promise<MemberGroups> => {
  const sources = await sourcesOf(table, property, target);
  const whole = { first: 0, last: CHUNKS_PER_GROUP - 1 };
  const known = new Set(sources.groups);
  return {
    groups: sources.groups,
    read: (group) => (known.has(group) ? read(sources, { group, ...whole }) : Promise.resolve([])),
  };
};

/** The exact number of members. */
export const countMembers = async (table: Table, members: MembersOf): Promise<number> => {
  let count = 0;
  for await (const { bits } of chunksFrom(table, members)) count += countBits(bits);
  return count;
};

/** The groups that a target can have members in, ascending. */
export const groupsWith = async (table: Table, { property, target }: MembersOf): Promise<readonly number[]> =>
  (await sourcesOf(table, property, target)).groups;

/** The exact number of members in one group: a query for each segment of the target. */
export const countInGroup = async (
  table: Table,
  { property, target }: MembersOf,
  group: number,
): Promise<number> => {
  const plan = planExpression(property, target);
  const sources = { property, plan, segments: [...segmentsIn(plan)], groups: [group] };
  const chunks = await readWindow(table, sources, { group, first: 0, last: CHUNKS_PER_GROUP - 1 });
  return chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);
};

/** Ordinals of the members from `from` on, ascending, as far as the budget goes. */
export async function* membersFrom(
  table: Table,
  members: MembersOf,
  from = 0,
  budget?: WalkBudget,
): AsyncGenerator<number> {
  for await (const { base, bits } of chunksFrom(table, members, from, budget))
    for (const offset of offsetsFrom(bits)) yield base + offset;
}

/** Ordinals of the members in a span, descending, as far as the budget goes. */
export async function* membersBefore(
  table: Table,
  members: MembersOf,
  span: Span,
  budget?: WalkBudget,
): AsyncGenerator<number> {
  for await (const { base, bits } of chunksBefore(table, members, span, budget))
    for (const offset of offsetsFrom(bits).toReversed()) yield base + offset;
}

const sourcesOf = async (table: Table, property: number, target: SegmentExpression): Promise<Sources> => {
  const plan = planExpression(property, target);
  const segments = [...segmentsIn(plan)];
  const directories = await readDirectories(table, property, segments);
  const groups = groupsIn(plan, (segment) => directories.get(segment) ?? []);
  return { property, plan, segments, groups: [...groups].sort((a, b) => a - b) };
};

/** A chunk with only the ordinals that are wanted; undefined when none is. */
const keep = ({ base, bits }: MemberChunk, wanted: (ordinal: number) => boolean): MemberChunk | undefined => {
  if (wanted(base) && wanted(base + ORDINALS_PER_CHUNK - 1)) return { base, bits };
  const kept = Uint32Array.from(bits);
  for (const offset of offsetsFrom(bits)) if (!wanted(base + offset)) setBit(kept, offset, false);
  return kept.some((word) => word !== 0) ? { base, bits: kept } : undefined;
};
