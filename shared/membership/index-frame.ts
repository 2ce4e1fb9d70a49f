/** Index frame: fixes the version of the brand catalogue for one indexing step, and widens the step after a version change. */
import type { Brands } from '../catalogue/brands.ts';
import type { BrandVersions } from '../catalogue/brand-versions.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { hiddenSegments } from '../catalogue/identity.ts';
import { IndexWork, type ChunkWork } from './index-work.ts';
import type { MembershipDeps } from './profile-reader.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from '../catalogue/types.ts';

/** The frame of an indexing step: one version of the brand catalogue, and all memberships that the step must bring up to date. */
export interface IndexFrame {
  readonly brands: Brands;
  readonly works: readonly ChunkWork[];
  /** The segments of the works by id, as that version names them. An unknown segment has no members. */
  readonly known: ReadonlyMap<number, IndexedIdentity & Pick<Segment, 'retired'>>;
}

/**
 * The frame of a step that begins now. While memberships of the previous version may remain, a frame also includes every membership that
 * the version change affected for these profiles. Otherwise the drainer could fix one membership and lose track of the rest.
 */
export const frameOf = async (
  deps: MembershipDeps,
  property: number,
  step: readonly ChunkWork[],
): Promise<IndexFrame> => {
  const times = await deps.brands();
  const now = deps.clock();
  const brands = times.at(now);
  const before = times.previous(now);
  const works = before ? await widenWork(deps, property, { step, before, brands }) : step;
  const ids = [...new Set(works.map(({ segment }) => segment))];
  const known = new Map([
    ...hiddenSegments(property),
    ...(await deps.catalogue.getMany(property, ids, brands)),
  ]);
  return { brands, works, known };
};

/** Whether the version of a frame is still in force. */
export const isCurrentFrame = ({ brands }: IndexFrame, times: BrandVersions, now: number): boolean =>
  times.at(now) === brands;

interface Change {
  readonly step: readonly ChunkWork[];
  readonly before: Brands;
  readonly brands: Brands;
}

const widenWork = async (
  { readProfiles, catalogue }: MembershipDeps,
  property: number,
  { step, before, brands }: Change,
): Promise<readonly ChunkWork[]> => {
  const work = new IndexWork();
  for (const { segment, base, offsets } of step)
    for (const offset of offsets) work.add(segment, base + offset);
  const ordinals = new Set(step.flatMap(({ base, offsets }) => offsets.map((offset) => base + offset)));
  const profiles = await readProfiles(property, [...ordinals]);
  const moved = new Map(
    [...profiles].map(([ordinal, profile]) => [ordinal, movedIn(profile, before, brands)]),
  );
  const identities = new Map([...moved.values()].flatMap((segments) => [...segments]));
  if (identities.size === 0) return step;
  const ids = await catalogue.findIds(property, [...identities.values()]);
  for (const [ordinal, segments] of moved) {
    for (const key of segments.keys()) {
      const id = ids.get(key);
      if (id !== undefined) work.add(id, ordinal);
    }
  }
  return [...work.steps(property)].flat();
};

/** The segments that follow from the likes of a profile by only one of two versions, by key. */
const movedIn = (
  { likes }: ResolvedProfile,
  before: Brands,
  after: Brands,
): ReadonlyMap<string, SegmentIdentity> => {
  const left = new Map(likes.flatMap((like) => before.segmentsOf(like)));
  const entered = new Map(likes.flatMap((like) => after.segmentsOf(like)));
  return new Map([
    ...[...left].filter(([key]) => !entered.has(key)),
    ...[...entered].filter(([key]) => !left.has(key)),
  ]);
};
