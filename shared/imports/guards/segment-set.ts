/** Segment set: segments that a property has not got, as a set in few bytes: eight for each, as a guard item stores it. */
import { identityKey } from '../../catalogue/identity.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import type { JobGuard } from '../items/guard-items.ts';
import { examplesOf, firstExamples } from './guard-rules.ts';

/** Two of 10,000 segments share a hash of this size once in 10^11 jobs. */
const HASH_BYTES = 8;

/** The hash of a segment. */
export const segmentHash = (identity: SegmentIdentity): string =>
  sha256(identityKey(identity)).slice(0, 2 * HASH_BYTES);

/** The new segments of a job, as its guard item stores them: their hashes, and the first of them for messages. */
type StoredSegments = Pick<JobGuard, 'segments' | 'examples'>;

/** Counts the new segments of a job. */
export class NewSegments {
  readonly #hashes = new Set<string>();
  #examples: readonly string[];

  constructor({ segments, examples }: StoredSegments) {
    const text = Buffer.from(segments).toString('hex');
    for (let at = 0; at < text.length; at += 2 * HASH_BYTES)
      this.#hashes.add(text.slice(at, at + 2 * HASH_BYTES));
    this.#examples = examples;
  }

  /** Counts segments that the property has not got. Returns those that were not counted before. */
  add(missing: readonly SegmentIdentity[]): readonly SegmentIdentity[] {
    const fresh = missing.filter((identity) => !this.#hashes.has(segmentHash(identity)));
    for (const identity of fresh) this.#hashes.add(segmentHash(identity));
    this.#examples = firstExamples([...this.#examples, ...examplesOf(fresh)]);
    return fresh;
  }

  get count(): number {
    return this.#hashes.size;
  }

  get examples(): readonly string[] {
    return this.#examples;
  }

  get stored(): StoredSegments {
    const segments = Uint8Array.from(Buffer.from([...this.#hashes].join(''), 'hex'));
    return { segments, examples: this.#examples };
  }
}

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
