/** Lost segments: the value segments that people leave because of writes to their profiles. */
import { isValueSegment, type SegmentIdentity } from '../catalogue/types.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import type { ApplyDeps } from './apply-records.ts';
import type { Person } from './batch-person.ts';
import { madeSegments } from './record-segments.ts';

/** The ids of the value segments that at least one of these people is in before the write and not after it. */
export const lostSegments = async (
  { segments, brands }: Pick<ApplyDeps, 'segments' | 'brands'>,
  property: number,
  people: readonly Person[],
  now: number,
): Promise<readonly number[]> => {
  const context = { property, now, brands: (await brands()).all };
  const lost = new Map<string, SegmentIdentity>();
  for (const { entry, changed, ordinal = 0 } of people) {
    if (entry.kind !== 'profile' || !changed) continue;
    const after = madeSegments(changed.after, context);
    for (const [key, identity] of madeSegments(resolveProfile(entry.state, ordinal, now), context))
      if (!after.has(key) && isValueSegment(identity)) lost.set(key, identity);
  }
  if (lost.size === 0) return [];
  return [...(await segments.idsOf(property, [...lost.values()])).values()];
};
