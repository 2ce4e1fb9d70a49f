/** Index step: the memberships that one indexing step brings up to date, and the profiles that belong in its segments. */
import type { Clock } from '../runtime/clock.ts';
import { offsetInChunk } from '../table/keys.ts';
import { noBits, setBit, type Bits } from './chunk.ts';
import { indexedSegmentsOf } from '../catalogue/derive.ts';
import { hiddenSegments, identityKey } from '../catalogue/identity.ts';
import type { ChunkWork } from './index-work.ts';
import type { ReadProfiles } from '../profiles/profile-repository.ts';
import type { BrandVersions } from '../catalogue/brand-versions.ts';
import type { Brands } from '../catalogue/brands.ts';
import type { IndexedIdentity, Segment } from '../catalogue/types.ts';
import { redirectWork } from './redirect-work.ts';
import { widenWork } from './widen-work.ts';
import type { MembershipDeps } from './deps.ts';

/**
 * The frame of an indexing step: one version of the brand catalogue, and all memberships that the step must bring up to
 * date.
 */
export interface IndexFrame {
  readonly brands: Brands;
  readonly works: readonly ChunkWork[];
  /** The segments of the works by id, as that version names them. An unknown segment has no members. */
  readonly known: ReadonlyMap<number, IndexedIdentity & Pick<Segment, 'retired'>>;
}

/**
 * The frame of a step that begins now. While memberships of the previous version may remain, a frame also includes
 * every membership that the version change affected for these profiles. Otherwise the drainer could fix one membership
 * and lose track of the rest. Work for deleted value segments goes to the segments that replace them.
 */
export const frameOf = async (
  deps: MembershipDeps,
  property: number,
  step: readonly ChunkWork[],
): Promise<IndexFrame> => {
  const versions = await deps.brands();
  const now = deps.clock();
  const brands = versions.at(now);
  const before = versions.previous(now);
  let works = before ? await widenWork(deps, property, { step, before, brands }) : step;
  for (;;) {
    const ids = [...new Set(works.map(({ segment }) => segment))];
    const known = new Map([
      ...hiddenSegments(property),
      ...(await deps.catalogue.getMany(property, ids, brands)),
    ]);
    const unknown = ids.filter((id) => !known.has(id));
    const deleted = await deps.catalogue.deleted(property, unknown);
    if (deleted.size === 0) return { brands, works, known };
    works = await redirectWork(deps, property, { works, deleted, brands });
  }
};

/** Whether the version of a frame is still in force. */
export const isCurrentFrame = ({ brands }: IndexFrame, versions: BrandVersions, now: number): boolean =>
  versions.at(now) === brands;

/** The bitmaps to fill for one chunk of ordinals. */
interface ChunkBitmaps {
  /** By segment key. */
  readonly byKey: ReadonlyMap<string, readonly Bits[]>;
  /** Moments: only forgotten people leave them, so every existing profile keeps its bit. */
  readonly moments: readonly Bits[];
}

/**
 * Reads the profiles of works, and returns for each work, in order, the profiles that belong in its segment. For a
 * moment these are all profiles that still exist.
 */
export const membersByProfiles = async (
  { readProfiles, clock }: { readonly readProfiles: ReadProfiles; readonly clock: Clock },
  property: number,
  works: readonly ChunkWork[],
  frame: IndexFrame,
): Promise<readonly Bits[]> => {
  const found = works.map((work) => ({ work, members: noBits() }));
  const chunks = new Map(
    [...Map.groupBy(found, ({ work }) => work.base)].map(([base, all]) => [base, bitmapsFor(all, frame)]),
  );
  for await (const profile of readProfiles(property, ordinalsOf(works))) {
    const offset = offsetInChunk(profile.ordinal);
    const bitmaps = chunks.get(profile.ordinal - offset);
    setIn(bitmaps?.moments, offset);
    for (const key of indexedSegmentsOf(profile, clock(), frame.brands).keys())
      setIn(bitmaps?.byKey.get(key), offset);
  }
  return found.map(({ members }) => members);
};

const setIn = (bitmaps: readonly Bits[] | undefined, offset: number): void => {
  for (const members of bitmaps ?? []) setBit(members, offset, true);
};

const ordinalsOf = (works: readonly ChunkWork[]): readonly number[] => {
  const ordinals = new Set(works.flatMap(({ base, offsets }) => offsets.map((offset) => base + offset)));
  return [...ordinals].sort((a, b) => a - b);
};

const bitmapsFor = (
  found: readonly { readonly work: ChunkWork; readonly members: Bits }[],
  { known }: IndexFrame,
): ChunkBitmaps => {
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
