/** Index work: memberships to bring up to date, and the steps in which an indexer does that. */
import type { Pair } from '../catalogue/types.ts';
import { offsetInChunk, chunkOf, groupOf, keys, ORDINALS_PER_CHUNK, type Key } from '../table/keys.ts';
import { bitsOf, countBits, noBits, offsetsFrom, orInto, type Bits } from './chunk.ts';
import type { Block, Pairs } from './pairs.ts';

/** Bounds of one indexing step, which bound its memory: profiles read, and chunk items read and written. */
const PROFILES_PER_STEP = ORDINALS_PER_CHUNK;
const CHUNKS_PER_STEP = 2_000;

/** A chunk of a segment with the ordinals whose membership may have changed. */
export interface ChunkWork {
  readonly key: Key;
  readonly segment: number;
  /** The ordinal of the chunk's first bit. */
  readonly base: number;
  /** The offsets of these ordinals in the chunk. */
  readonly looked: Bits;
}

/** The ordinals of works, ascending. */
export const ordinalsOfWorks = (works: readonly ChunkWork[]): readonly number[] => {
  const chunks = new Map<number, Bits>();
  for (const { base, looked } of works) {
    const bits = chunks.get(base) ?? noBits();
    orInto(bits, looked);
    chunks.set(base, bits);
  }
  return [...chunks]
    .sort(([a], [b]) => a - b)
    .flatMap(([base, bits]) => offsetsFrom(bits).map((offset) => base + offset));
};

/** The groups of works, by segment. */
export const groupsOfWorks = (works: readonly ChunkWork[]): ReadonlyMap<number, ReadonlySet<number>> => {
  const groups = new Map<number, Set<number>>();
  for (const { segment, base } of works)
    groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
  return groups;
};

/** The chunks of ordinals by group. */
const chunksByGroup = (ordinals: Iterable<number>): ReadonlyMap<number, ReadonlySet<number>> => {
  const groups = new Map<number, Set<number>>();
  for (const ordinal of ordinals) {
    const group = groupOf(ordinal);
    groups.set(group, (groups.get(group) ?? new Set()).add(chunkOf(ordinal)));
  }
  return groups;
};

/** The groups of these ordinals, without the groups where the ordinals are in more than `mostChunks` of the 64 chunks. */
export const groupsOf = (ordinals: Iterable<number>, mostChunks: number): readonly number[] =>
  [...chunksByGroup(ordinals)].flatMap(([group, chunks]) => (chunks.size > mostChunks ? [] : [group]));

/** What is to be done for the people of one chunk of ordinals. */
class PeopleWork {
  /** Offsets by segment, possibly with duplicates. */
  readonly #single = new Map<number, number[]>();
  /** Lists of segments with their offsets, by the ids of the segments: the entries of a journal share many lists. */
  readonly #lists = new Map<string, { readonly segments: readonly number[]; readonly offsets: number[] }>();

  add(segment: number, offset: number): void {
    const offsets = this.#single.get(segment);
    if (offsets) offsets.push(offset);
    else this.#single.set(segment, [offset]);
  }

  /** The offsets of a list of segments, to add to. */
  offsetsOf(segments: readonly number[]): number[] {
    const name = segments.join();
    const known = this.#lists.get(name);
    if (known) return known.offsets;
    const offsets: number[] = [];
    this.#lists.set(name, { segments, offsets });
    return offsets;
  }

  segments(): ReadonlySet<number> {
    const found = new Set(this.#single.keys());
    for (const { segments } of this.#lists.values()) for (const segment of segments) found.add(segment);
    return found;
  }

  bySegment(): ReadonlyMap<number, Bits> {
    const found = new Map([...this.#single].map(([segment, offsets]) => [segment, bitsOf(offsets)]));
    for (const { segments, offsets } of this.#lists.values()) {
      const bits = bitsOf(offsets);
      for (const segment of segments) {
        const known = found.get(segment);
        if (known) orInto(known, bits);
        else found.set(segment, bits.slice());
      }
    }
    return found;
  }

  /** The segments of each offset, in order of offset. */
  byOffset(): readonly (readonly [offset: number, segments: readonly number[]])[] {
    const found = new Map<number, number[]>();
    for (const [segment, bits] of this.bySegment()) {
      for (const offset of offsetsFrom(bits)) {
        const own = found.get(offset);
        if (own) own.push(segment);
        else found.set(offset, [segment]);
      }
    }
    return [...found].sort(([a], [b]) => a - b);
  }
}

/** Memberships to bring up to date, grouped so that each chunk of each segment occurs once. */
export class IndexWork {
  /** By base ordinal of the chunk. */
  readonly #chunks = new Map<number, PeopleWork>();

  /** The work for some pairs. */
  static of(pairs: Iterable<Pairs[number]>): IndexWork {
    const work = new IndexWork();
    for (const one of pairs) {
      if ('ordinal' in one) work.add(one);
      else work.addBlock(one);
    }
    return work;
  }

  add({ segment, ordinal }: Pair): void {
    const offset = offsetInChunk(ordinal);
    this.#at(ordinal - offset).add(segment, offset);
  }

  addBlock({ segments, ordinals }: Block): void {
    const [segment] = segments;
    if (segment === undefined) return;
    if (segments.length === 1) {
      for (const ordinal of ordinals) this.add({ segment, ordinal });
      return;
    }
    let [last, offsets]: [number, number[]] = [-1, []];
    for (const ordinal of ordinals) {
      const offset = offsetInChunk(ordinal);
      if (ordinal - offset !== last) {
        last = ordinal - offset;
        offsets = this.#at(last).offsetsOf(segments);
      }
      offsets.push(offset);
    }
  }

  #at(base: number): PeopleWork {
    const known = this.#chunks.get(base);
    if (known) return known;
    const fresh = new PeopleWork();
    this.#chunks.set(base, fresh);
    return fresh;
  }

  #inOrder(): readonly (readonly [base: number, people: PeopleWork])[] {
    return [...this.#chunks].sort(([a], [b]) => a - b);
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
    for (const [base, people] of this.#inOrder()) {
      const segments = people.segments().size;
      if (segments <= left) {
        work.#chunks.set(base, people);
        left -= segments;
        through = base + ORDINALS_PER_CHUNK - 1;
        continue;
      }
      const taken = new Set<number>();
      for (const [offset, own] of people.byOffset()) {
        const fresh = own.filter((segment) => !taken.has(segment));
        if (fresh.length > left && through >= 0) return { work, through };
        for (const segment of own) work.add({ segment, ordinal: base + offset });
        for (const segment of fresh) taken.add(segment);
        left -= fresh.length;
        through = base + offset;
      }
    }
    return { work, through: Number.POSITIVE_INFINITY };
  }

  groups(): ReadonlyMap<number, ReadonlySet<number>> {
    const groups = new Map<number, Set<number>>();
    for (const [base, people] of this.#chunks) {
      for (const segment of people.segments())
        groups.set(segment, (groups.get(segment) ?? new Set()).add(groupOf(base)));
    }
    return groups;
  }

  /** The work in steps of bounded size. All segments of one chunk of ordinals are in one step. */
  *steps(property: number): Generator<readonly ChunkWork[]> {
    let step: ChunkWork[] = [];
    let profiles = 0;
    for (const [base, people] of this.#inOrder()) {
      const segments = people.bySegment();
      const all = noBits();
      for (const bits of segments.values()) orInto(all, bits);
      const touched = countBits(all);
      const full = profiles + touched > PROFILES_PER_STEP || step.length + segments.size > CHUNKS_PER_STEP;
      if (full && step.length > 0) {
        yield step;
        [step, profiles] = [[], 0];
      }
      for (const [segment, looked] of segments) {
        const key = keys.chunk(property, segment, groupOf(base), chunkOf(base));
        step.push({ key, segment, base, looked });
      }
      profiles += touched;
    }
    if (step.length > 0) yield step;
  }
}
