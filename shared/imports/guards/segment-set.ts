/** Segment set: segments that a property has not got, as a set in few bytes: eight for each, as a guard item stores it. */
import { identityKey } from '../../catalogue/identity.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';

/** Two of 10,000 segments share a hash of this size once in 10^11 jobs. */
const HASH_BYTES = 8;

/** The hash of a segment. */
export const segmentHash = (identity: SegmentIdentity): string =>
  sha256(identityKey(identity)).slice(0, 2 * HASH_BYTES);

/** The hashes of a stored set. */
export const hashesIn = (stored: Uint8Array): ReadonlySet<string> => {
  const text = Buffer.from(stored).toString('hex');
  const hashes = new Set<string>();
  for (let at = 0; at < text.length; at += 2 * HASH_BYTES) hashes.add(text.slice(at, at + 2 * HASH_BYTES));
  return hashes;
};

/** Hashes as a guard item stores them. */
export const storedHashes = (hashes: Iterable<string>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from([...hashes].join(''), 'hex'));

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
