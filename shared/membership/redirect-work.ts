/** Redirected work: moves the work of an indexing step from deleted segments to the segments that replace them. */
import type { Brands } from '../catalogue/brands.ts';
import { indexedSegmentsOf } from '../catalogue/derive.ts';
import { identityKey } from '../catalogue/identity.ts';
import type { SegmentIdentity } from '../catalogue/types.ts';
import { IndexWork, type ChunkWork } from './index-work.ts';
import type { MembershipDeps } from './deps.ts';

/** The work of an indexing step, and the deleted segments in it with their identities. */
interface RedirectRequest {
  readonly works: readonly ChunkWork[];
  readonly deleted: ReadonlyMap<number, SegmentIdentity>;
  readonly brands: Brands;
}

/**
 * Returns the work with each deleted segment replaced by the segment that has its identity now. If there is none, the
 * segment is created for profiles that belong in it. A profile that does not belong in it needs no work: whoever stores
 * it with this value again announces that.
 */
export const redirectWork = async (
  { catalogue, readProfiles, clock }: MembershipDeps,
  property: number,
  { works, deleted, brands }: RedirectRequest,
): Promise<readonly ChunkWork[]> => {
  const found = await catalogue.findIds(property, [...deleted.values()]);
  // A claim that is not freed yet leads to the deleted segment.
  const isHomeless = (identity: SegmentIdentity): boolean => {
    const id = found.get(identityKey(identity));
    return id === undefined || deleted.has(id);
  };
  const homeless = new Map([...deleted].filter(([, identity]) => isHomeless(identity)));
  const ordinals = works
    .filter(({ segment }) => homeless.has(segment))
    .flatMap(({ base, offsets }) => offsets.map((offset) => base + offset));
  const derived = new Set<string>();
  for await (const profile of readProfiles(property, ordinals))
    for (const key of indexedSegmentsOf(profile, clock(), brands).keys()) derived.add(key);
  const wanted = [...homeless].filter(([, identity]) => derived.has(identityKey(identity)));
  const created = await catalogue.recreate(
    property,
    wanted.map(([id]) => id),
  );
  // The writer of a claim that was found may not have written the items of the segment yet.
  const current = await catalogue.idsOf(
    property,
    [...deleted.values()].filter((identity) => !isHomeless(identity)),
  );
  const work = new IndexWork();
  for (const { segment, base, offsets } of works) {
    const identity = deleted.get(segment);
    const id = identity ? (created.get(segment) ?? current.get(identityKey(identity))) : segment;
    if (id !== undefined) for (const offset of offsets) work.add(id, base + offset);
  }
  return [...work.steps(property)].flat();
};
