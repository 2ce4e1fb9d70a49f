import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { identityKey } from '../../catalogue/identity.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';

/** The segments of a list that the property has not got. */
export const missingSegments = async (
  catalogue: Pick<SegmentCatalogue, 'findIds'>,
  property: number,
  segments: readonly SegmentIdentity[],
): Promise<readonly SegmentIdentity[]> => {
  if (segments.length === 0) return [];
  const ids = await catalogue.findIds(property, segments);
  return segments.filter((identity) => !ids.has(identityKey(identity)));
};
