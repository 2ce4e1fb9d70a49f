/** Index work: collects memberships to bring up to date, and splits them into bounded steps. */
import { chunkOf, groupOf, keys, offsetInChunk, ORDINALS_PER_CHUNK, type Key } from '../table/keys.ts';

/** Bounds of one indexing step, which bound its memory: profiles read, and chunk items read and written. */
const PROFILES_PER_STEP = ORDINALS_PER_CHUNK;
const CHUNKS_PER_STEP = 2_000;

/** A chunk of a segment with the ordinals whose membership may have changed. */
export interface ChunkWork {
  readonly key: Key;
  readonly segment: number;
  /** The ordinal of the chunk's first bit. */
  readonly base: number;
  /** Offsets in the chunk, possibly with duplicates. */
  readonly offsets: readonly number[];
}

/** The groups of works, by segment. */
export const groupsOfWorks = (works: readonly ChunkWork[]): ReadonlyMap<number, ReadonlySet<number>> => {
  const groups = new Map<number, Set<number>>();
  for (const { segment, base } of works)
    groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
  return groups;
};

/** The segments of each offset of a chunk, in order of offset. */
const segmentsByOffset = (
  segments: ReadonlyMap<number, readonly number[]>,
): readonly (readonly [offset: number, segments: readonly number[]])[] => {
  const found = new Map<number, Set<number>>();
  for (const [segment, offsets] of segments)
    for (const offset of offsets) found.set(offset, (found.get(offset) ?? new Set()).add(segment));
  return [...found].sort(([a], [b]) => a - b).map(([offset, own]) => [offset, [...own]]);
};

/** Memberships to bring up to date, grouped so that each chunk of each segment occurs once. */
export class IndexWork {
  /** By base ordinal of the chunk, then by segment: offsets. */
  readonly #chunks = new Map<number, Map<number, number[]>>();

  add(segment: number, ordinal: number): void {
    const offset = offsetInChunk(ordinal);
    const segments = this.#chunks.get(ordinal - offset) ?? new Map<number, number[]>();
    const offsets = segments.get(segment);
    if (offsets) offsets.push(offset);
    else segments.set(segment, [offset]);
    this.#chunks.set(ordinal - offset, segments);
  }

  /**
   * The work for the first people, by ordinal, whose memberships are in at most `mostChunks` chunks; for one person at
   * least. `through` is their last ordinal, `Infinity` when nobody is left. All memberships of a person stay together,
   * because a person who moves from one segment to another must never be missing from both.
   */
  first(mostChunks: number): { readonly work: IndexWork; readonly through: number } {
    const work = new IndexWork();
    let left = mostChunks;
    let through = -1;
    for (const [base, segments] of [...this.#chunks].sort(([a], [b]) => a - b)) {
      if (segments.size <= left) {
        work.#chunks.set(base, segments);
        left -= segments.size;
        through = base + ORDINALS_PER_CHUNK - 1;
        continue;
      }
      for (const [offset, own] of segmentsByOffset(segments)) {
        const fresh = own.filter((segment) => work.#chunks.get(base)?.has(segment) !== true).length;
        if (fresh > left && through >= 0) return { work, through };
        for (const segment of own) work.add(segment, base + offset);
        left -= fresh;
        through = base + offset;
      }
    }
    return { work, through: Number.POSITIVE_INFINITY };
  }

  groups(): ReadonlyMap<number, ReadonlySet<number>> {
    const groups = new Map<number, Set<number>>();
    for (const [base, segments] of this.#chunks) {
      for (const segment of segments.keys())
        groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
    }
    return groups;
  }

  /** The work in steps of bounded size. All segments of one chunk of ordinals are in one step. */
  *steps(property: number): Generator<readonly ChunkWork[]> {
    let step: ChunkWork[] = [];
    let profiles = 0;
    for (const [base, segments] of [...this.#chunks].sort(([a], [b]) => a - b)) {
      const touched = new Set([...segments.values()].flat()).size;
      const full = profiles + touched > PROFILES_PER_STEP || step.length + segments.size > CHUNKS_PER_STEP;
      if (full && step.length > 0) {
        yield step;
        [step, profiles] = [[], 0];
      }
      for (const [segment, offsets] of segments) {
        const key = keys.chunk(property, segment, groupOf(base), chunkOf(base));
        step.push({ key, segment, base, offsets });
      }
      profiles += touched;
    }
    if (step.length > 0) yield step;
  }
}
