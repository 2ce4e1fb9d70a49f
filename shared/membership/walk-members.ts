/** Walks over members: reads the members of an expression in order of ordinal, lazily, for pages and previews. */
import { chunkOf, CHUNKS_PER_GROUP, groupOf, ORDINALS_PER_CHUNK } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { offsetsFrom, setBit, isEmpty } from './chunk.ts';
import { openSources, type MembersOf } from './expression-plan.ts';
import { ordinalOf, readWindow, type MemberChunk } from './read-members.ts';

/**
 * Chunks of the first query: enough for a page of a dense segment. The second query takes the rest of the group, at most
 * 33 KB: a page of a sparse segment then waits for two queries, not for five.
 */
const FIRST_WINDOW = 4;
const WINDOW_GROWTH = 16;

/**
 * Budget of queries for one walk. The first window is always read, so that every walk makes progress. Before a window
 * that exceeds the budget the walk ends, and `stoppedAt` says where the next walk continues.
 */
export class WalkBudget {
  #left: number;
  #begun = false;
  #stoppedAt: number | undefined;

  constructor(queries: number) {
    this.#left = queries;
  }

  /**
   * The border between the ordinals that the walk has covered and the rest; undefined unless the budget stopped the
   * walk.
   */
  get stoppedAt(): number | undefined {
    return this.#stoppedAt;
  }

  /** Spends the queries of the next window, or stops the walk at an ordinal. */
  take(queries: number, at: number): boolean {
    if (this.#begun && queries > this.#left) this.#stoppedAt = at;
    this.#begun = true;
    this.#left -= queries;
    return this.#stoppedAt === undefined;
  }
}

/** Ordinals of a walk: `from` inclusive, `before` exclusive. */
interface Span {
  readonly from?: number;
  readonly before?: number;
}

/**
 * The non-empty chunks of an expression in order of ordinal, without members below `from`. Lazy: reads only the
 * directories and the chunks that the caller consumes, strongly.
 */
export async function* chunksFrom(
  table: Table,
  { property, expression }: MembersOf,
  from = 0,
  budget?: WalkBudget,
): AsyncGenerator<MemberChunk> {
  const sources = await openSources(table, { property, expression });
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

/** The same in descending order, without members at or above `before`. */
async function* chunksBefore(
  table: Table,
  { property, expression }: MembersOf,
  { from = 0, before = 0 }: Span,
  budget?: WalkBudget,
): AsyncGenerator<MemberChunk> {
  if (before <= from) return;
  const end = before - 1;
  const sources = await openSources(table, { property, expression });
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

/** A chunk reduced to the wanted ordinals; undefined when none is left. */
const keep = ({ base, bits }: MemberChunk, wanted: (ordinal: number) => boolean): MemberChunk | undefined => {
  if (wanted(base) && wanted(base + ORDINALS_PER_CHUNK - 1)) return { base, bits };
  const kept = Uint32Array.from(bits);
  for (const offset of offsetsFrom(bits)) if (!wanted(base + offset)) setBit(kept, offset, false);
  return isEmpty(kept) ? undefined : { base, bits: kept };
};
