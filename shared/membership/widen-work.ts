/** Widened work: the memberships that a new version of the brand catalogue adds to an indexing step. */
import type { Brands } from '../catalogue/brands.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { IndexWork, type ChunkWork } from './index-work.ts';
import type { MembershipDeps } from './deps.ts';
import type { SegmentIdentity } from '../catalogue/types.ts';

/** The work of an indexing step, and the versions of the catalogue before and after the change. */
interface WidenRequest {
  readonly step: readonly ChunkWork[];
  readonly before: Brands;
  readonly brands: Brands;
}

/**
 * Returns the work of the step and each membership of its profiles that the change of version affected, as chunks of work.
 */
export const widenWork = async (
  { readProfiles, catalogue }: MembershipDeps,
  property: number,
  { step, before, brands }: WidenRequest,
): Promise<readonly ChunkWork[]> => {
  const work = new IndexWork();
  for (const { segment, base, offsets } of step)
    for (const offset of offsets) work.add(segment, base + offset);
  const ordinals = new Set(step.flatMap(({ base, offsets }) => offsets.map((offset) => base + offset)));
  const moved = new Map<number, ReadonlyMap<string, SegmentIdentity>>();
  for await (const profile of readProfiles(property, ordinals))
    moved.set(profile.ordinal, changedSegments(profile, before, brands));
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
const changedSegments = (
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
