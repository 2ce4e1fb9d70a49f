/** Evidence: finds the values of a profile that put it into a segment, or into another segment instead. */
import { withoutConditions } from '../../catalogue/conditions/known-conditions.ts';
import type { Where } from '../../catalogue/conditions/shape.ts';
import type { Derivation } from '../../catalogue/derivation.ts';
import type { Provenance } from '../../profiles/provenance-schema.ts';
import { emptyState } from '../../profiles/profile-state.ts';
import { resolveProfile } from '../../profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { bandChange } from '../../profiles/age.ts';
import { segmentsOf } from '../../catalogue/derive.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { conditionEvidence, type ConditionEvidence } from './condition-evidence.ts';
import type { Evidence } from './schemas.ts';
import { ageEvidence, surfaced } from './surfaced.ts';

/** A part of a profile from which segments follow on its own. */
interface Part {
  readonly profile: ResolvedProfile;
  readonly evidence: readonly Evidence[];
}

const nobody = resolveProfile(emptyState, 0, { created: null, updatedAt: 0 });

/** A person of whom nothing is known but an identity. A profile without an identity is in no segment. */
const blank: ResolvedProfile = { ...nobody, fields: { ...nobody.fields, unique_id: 'somebody' } };

/** The inputs of derivation besides the profile. */
interface DerivationContext {
  readonly now: number;
  readonly derivation: Derivation;
}

/**
 * Indexes the evidence of a profile. Derives the segments of each part separately, so that the rules stay in one place. A
 * condition is no segment of a part: it names its field itself.
 */
export const evidenceIndex = (
  profile: ResolvedProfile,
  provenance: Provenance,
  { now, derivation: whole }: DerivationContext,
) => {
  const derivation = { ...whole, conditions: withoutConditions };
  const because = new Map<string, Evidence[]>();
  const places = new Map<string, readonly Evidence[]>();
  const common = segmentsOf(blank, now, derivation);
  for (const part of partsOf(profile, provenance, now)) {
    const alone = { ...part.profile, withoutSpecial: profile.withoutSpecial };
    for (const [key, identity] of segmentsOf(alone, now, derivation)) {
      if (common.has(key)) continue;
      const place = placeOf(identity);
      if (place !== undefined) places.set(place, part.evidence);
      const known = because.get(key);
      if (!known) because.set(key, [...part.evidence]);
      // A place also follows from each place inside it, which adds no evidence.
      else if (identity.type !== 'location') known.push(...part.evidence);
    }
  }
  return {
    /** The evidence about a condition. */
    ofCondition: (where: Where): ConditionEvidence => conditionEvidence({ profile, provenance, now }, where),
    /** The values that put the profile into the segment with this key. */
    because: (key: string): readonly Evidence[] => because.get(key) ?? [],
    /**
     * The present values where other values would have put the profile into a segment; none where it may have many values.
     */
    instead: (identity: SegmentIdentity): readonly Evidence[] => places.get(placeOf(identity) ?? '') ?? [],
  };
};
export type EvidenceIndex = ReturnType<typeof evidenceIndex>;

/** The name of a value that a profile has only once: each demographic field and channel of consent, and the place; undefined for other values. */
const placeOf = ({ type, path }: SegmentIdentity): string | undefined => {
  if (type === 'location') return type;
  return type === 'demographic' || type === 'consent' ? JSON.stringify(path) : undefined;
};

const partsOf = (profile: ResolvedProfile, provenance: Provenance, now: number): readonly Part[] => [
  ...provenance.tags.map(({ tag, datetime, ...mark }) => ({
    profile: { ...blank, tags: [{ tag, datetime }] },
    evidence: [{ field: 'tags', value: tag, datetime, ...mark }],
  })),
  ...provenance.sources.map(({ label, ...mark }) => ({
    profile: { ...blank, sources: [label] },
    evidence: [{ field: 'source', value: label, ...mark }],
  })),
  ...provenance.social_likes.map(({ id, ...mark }) => ({
    profile: { ...blank, likes: [id] },
    evidence: [{ field: 'social_likes', value: id, ...mark }],
  })),
  ...consentParts(profile, provenance),
  ...fieldParts(profile, provenance),
  ...ageParts(profile, provenance, now),
  ...placeParts(profile, provenance),
];

/** The statement that counts on each channel. */
const consentParts = ({ consent }: ResolvedProfile, provenance: Provenance): readonly Part[] =>
  consent.map((said) => ({
    profile: { ...blank, consent: [said] },
    evidence: provenance.consent.flatMap(({ channel, state, datetime, tier, source, job, stamp, won }) =>
      won && channel === said.channel
        ? [{ field: `consent.${channel}`, value: state, datetime, tier, source, job, stamp }]
        : [],
    ),
  }));

/** Fields that decide segments together with other fields; they have parts of their own. */
const together = new Set(['birthday', 'state', 'city']);

const fieldParts = ({ fields }: ResolvedProfile, provenance: Provenance): readonly Part[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    value === null || together.has(field)
      ? []
      : [
          {
            profile: { ...blank, fields: { ...blank.fields, [field]: value } },
            evidence: surfaced(provenance, field),
          },
        ],
  );

const ageParts = (profile: ResolvedProfile, provenance: Provenance, now: number): readonly Part[] => {
  const {
    fields: { birthday },
    age,
  } = profile;
  const until = birthday === null ? null : bandChange(birthday, now);
  return [
    {
      profile: { ...blank, age, fields: { ...blank.fields, birthday } },
      evidence: ageEvidence(profile, provenance, now).map((one) => ({ ...one, until })),
    },
  ];
};

/** The parts of a place. Each level is explained by itself and the levels above. */
const placeParts = (
  { country, fields: { state, city } }: ResolvedProfile,
  provenance: Provenance,
): readonly Part[] => {
  const [inCountry, inState, inCity] = ['country', 'state', 'city'].map((field) =>
    surfaced(provenance, field),
  );
  const levels = [
    { country, state: null, city: null, evidence: [inCountry] },
    { country, state, city: null, evidence: [inCountry, inState] },
    { country, state, city, evidence: [inCountry, inState, inCity] },
  ];
  return levels.map(({ country: own, evidence, ...level }) => ({
    profile: { ...blank, country: own, fields: { ...blank.fields, ...level } },
    evidence: evidence.flatMap((some) => some ?? []),
  }));
};
