/** Record segments: the segments that the values of a record make by themselves. */
import type { Derivation } from '../catalogue/derivation.ts';
import { indexedValuesOf } from '../catalogue/derive.ts';
import { isShown } from '../catalogue/identity.ts';
import type { IndexedIdentity, SegmentIdentity } from '../catalogue/types.ts';
import { contributionOf, type AcceptedRecord } from '../profiles/contribution.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { UseRules } from './use-rules.ts';

/** What decides segments besides the values: the time, for age bands, and each derivation in use. */
export interface SegmentContext {
  readonly now: number;
  readonly derivations: readonly Derivation[];
}

/** The same for records, which do not say by which rule their person is stored. */
export interface RecordContext extends SegmentContext {
  readonly rules: UseRules;
}

/**
 * The segments of a profile that has the values of one record and no others, by `identityKey`. Segments that every
 * property has are left out, and those of special values that the property does not use. Values that a stored profile already has can add a place to this list: a record with a
 * state alone makes the segment of the stored city in that state.
 */
export const segmentsOfRecord = (
  record: AcceptedRecord,
  context: RecordContext,
): ReadonlyMap<string, SegmentIdentity> => {
  const { now, rules } = context;
  const contribution = contributionOf(record, record.patch.identities, record.stamp);
  const profile = resolveProfile(contribution, 0, { created: now, updatedAt: now });
  return madeSegments({ ...profile, withoutSpecial: !rules.specialCategories }, context);
};

/** The segments of a profile, by `identityKey`, that exist only once somebody has their values. */
export const madeSegments = (
  profile: ResolvedProfile,
  { now, derivations }: SegmentContext,
): ReadonlyMap<string, SegmentIdentity> => {
  const found = new Map<string, SegmentIdentity>();
  for (const derivation of derivations) {
    for (const [key, identity] of indexedValuesOf(profile, now, derivation))
      if (isMade(identity)) found.set(key, identity);
  }
  return found;
};

/** Whether a segment exists only once somebody has its value. */
const isMade = (identity: IndexedIdentity): identity is SegmentIdentity =>
  isShown(identity) && identity.id === undefined;
