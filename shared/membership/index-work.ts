import { chunkOf, groupOf, keys, offsetInChunk, ORDINALS_PER_CHUNK, type Key } from '../table/keys.ts';

/** Bounds of one step of indexing, so that its memory is bounded: profiles read, and chunk items read and written. */
const PROFILES_PER_STEP = ORDINALS_PER_CHUNK;
const CHUNKS_PER_STEP = 2_000;

/** A chunk of a segment with the ordinals whose membership may have changed. */
export interface ChunkWork {
  readonly key: Key;
  readonly segment: number;
  /** Ordinal of the chunk's first bit. */
  readonly base: number;
  /** Offsets in the chunk, maybe more than once. */
  readonly offsets: readonly number[];
}

/** Groups by segment of some works. */
export const groupsOfWorks = (works: readonly ChunkWork[]): ReadonlyMap<number, ReadonlySet<number>> => {
  const groups = new Map<number, Set<number>>();
  for (const { segment, base } of works)
    groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
  return groups;
};

/** The segments of each offset of a chunk of ordinals, in order of the offsets. */
const segmentsByOffset = (
  segments: ReadonlyMap<number, readonly number[]>,
): readonly (readonly [offset: number, segments: readonly number[]])[] => {
  const found = new Map<number, Set<number>>();
  for (const [segment, offsets] of segments)
    for (const offset of offsets) found.set(offset, (found.get(offset) ?? new Set()).add(segment));
  return [...found].sort(([a], [b]) => a - b).map(([offset, own]) => [offset, [...own]]);
};

/** Memberships to bring up to date, gathered so that each chunk of each segment comes once. */
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
   * The first persons, by ordinal, whose memberships are in at most so many chunks; one person at least. `through` is the
   * last ordinal of them, `Infinity` when there are no more. A person's memberships stay together, because a person who goes
   * from one segment to another must never be seen in neither.
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

  /** Groups by segment. */
  groups(): ReadonlyMap<number, ReadonlySet<number>> {
    const groups = new Map<number, Set<number>>();
    for (const [base, segments] of this.#chunks)
      for (const segment of segments.keys())
        groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
    return groups;
  }

  /** The work of a property in steps of bounded size; all segments of one chunk of ordinals are in one step. */
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
