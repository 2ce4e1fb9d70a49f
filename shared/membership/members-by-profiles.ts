/** Members by profiles: decides from the profiles themselves who belongs in the segments of an indexing step. */
import type { Clock } from '../runtime/clock.ts';
import { offsetInChunk, PROFILES_PER_BLOCK } from '../table/keys.ts';
import { noBits, setBit, type Bits } from './chunk.ts';
import { indexedSegmentsOf } from '../catalogue/derive.ts';
import { identityKey } from '../catalogue/identity.ts';
import type { IndexFrame } from './index-frame.ts';
import type { ChunkWork } from './index-work.ts';
import { blockBatches, type ReadProfiles } from './profile-reader.ts';

/**
 * Profiles in memory at once. Only their memberships are kept, because the garbage collector would move all profiles of a chunk more often
 * than they are read.
 */
const PROFILES_AT_ONCE = 4 * PROFILES_PER_BLOCK;

/** The bitmaps to fill for one chunk of ordinals. */
interface Decided {
  /** By segment key. */
  readonly byKey: ReadonlyMap<string, readonly Bits[]>;
  /** Moments: only forgotten people leave them, so every existing profile keeps its bit. */
  readonly moments: readonly Bits[];
}

/**
 * Reads the profiles of works, and returns for each work, in order, the profiles that belong in its segment. For a moment these are all
 * profiles that still exist.
 */
export const membersByProfiles = async (
  { readProfiles, clock }: { readonly readProfiles: ReadProfiles; readonly clock: Clock },
  property: number,
  works: readonly ChunkWork[],
  frame: IndexFrame,
): Promise<readonly Bits[]> => {
  const found = works.map((work) => ({ work, members: noBits() }));
  const chunks = new Map(
    [...Map.groupBy(found, ({ work }) => work.base)].map(([base, all]) => [base, decidedBy(all, frame)]),
  );
  for (const batch of blockBatches(ordinalsOf(works), PROFILES_AT_ONCE)) {
    const profiles = await readProfiles(property, batch);
    const now = clock();
    for (const [ordinal, profile] of profiles) {
      const offset = offsetInChunk(ordinal);
      const decided = chunks.get(ordinal - offset);
      enter(decided?.moments, offset);
      for (const key of indexedSegmentsOf(profile, now, frame.brands).keys())
        enter(decided?.byKey.get(key), offset);
    }
  }
  return found.map(({ members }) => members);
};

const enter = (entered: readonly Bits[] | undefined, offset: number): void => {
  for (const members of entered ?? []) setBit(members, offset, true);
};

const ordinalsOf = (works: readonly ChunkWork[]): readonly number[] => {
  const ordinals = new Set(works.flatMap(({ base, offsets }) => offsets.map((offset) => base + offset)));
  return [...ordinals].sort((a, b) => a - b);
};

const decidedBy = (
  found: readonly { readonly work: ChunkWork; readonly members: Bits }[],
  { known }: IndexFrame,
): Decided => {
  const byKey = new Map<string, Bits[]>();
  const moments: Bits[] = [];
  for (const { work, members } of found) {
    const segment = known.get(work.segment);
    if (!segment || segment.retired) continue;
    if (segment.type === 'moment') {
      moments.push(members);
      continue;
    }
    const key = identityKey(segment);
    byKey.set(key, [...(byKey.get(key) ?? []), members]);
  }
  return { byKey, moments };
};
