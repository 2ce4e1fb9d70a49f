import type { Brands } from '../../catalogue/brands.ts';
import type { Provenance } from '../../profiles/schemas.ts';
import { emptyState } from '../../profiles/profile-state.ts';
import { resolveProfile } from '../../profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { ageOn, bandChange } from '../../catalogue/age.ts';
import { segmentsOf } from '../../catalogue/derive.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import type { Evidence } from './schemas.ts';

/** A part of a profile: segments follow from each by itself. */
interface Part {
  readonly profile: ResolvedProfile;
  readonly evidence: readonly Evidence[];
}

/** What in a profile explains its segments. */
export interface EvidenceIndex {
  /** The values that put the profile into the segment of a key. */
  because(key: string): readonly Evidence[];
  /** The values in whose place others would have put it into a segment: nothing where it may have any number of them. */
  instead(identity: SegmentIdentity): readonly Evidence[];
}

const blank = resolveProfile(emptyState, 0, 0);

/** What decides segments besides the profile. */
interface DerivationContext {
  readonly now: number;
  readonly brands: Brands;
}

/** Derives the segments of each part of a profile by itself, so that the rules stand in one place only. */
export const evidenceIndex = (
  profile: ResolvedProfile,
  provenance: Provenance,
  { now, brands }: DerivationContext,
): EvidenceIndex => {
  const because = new Map<string, Evidence[]>();
  const places = new Map<string, readonly Evidence[]>();
  const common = segmentsOf(blank, now, brands);
  for (const part of partsOf(profile, provenance, now))
    for (const [key, identity] of segmentsOf(part.profile, now, brands)) {
      if (common.has(key)) continue;
      const place = placeOf(identity);
      if (place !== undefined) places.set(place, part.evidence);
      const known = because.get(key);
      if (!known) because.set(key, [...part.evidence]);
      // A place follows from each of the places in it too, and there is no more to it than its own.
      else if (identity.type !== 'location') known.push(...part.evidence);
    }
  return {
    because: (key) => because.get(key) ?? [],
    instead: (identity) => places.get(placeOf(identity) ?? '') ?? [],
  };
};

/** What a profile has one of: a value of each demographic field, and one place. */
const placeOf = ({ type, path }: SegmentIdentity): string | undefined => {
  if (type === 'location') return type;
  return type === 'demographic' ? JSON.stringify(path) : undefined;
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
  ...fieldParts(profile, provenance),
  ...ageParts(profile, provenance, now),
  ...placeParts(profile, provenance),
];

/** Fields that others take part in have parts of their own. */
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

const ageParts = (
  { fields: { birthday }, age }: ResolvedProfile,
  provenance: Provenance,
  now: number,
): readonly Part[] => {
  const told = { age: birthday === null ? (age ?? 0) : ageOn(birthday, now) };
  const until = birthday === null ? null : bandChange(birthday, now);
  const evidence = surfaced(provenance, birthday === null ? 'age' : 'birthday');
  return [
    {
      profile: { ...blank, age, fields: { ...blank.fields, birthday } },
      evidence: evidence.map((one) => ({ ...one, ...told, until })),
    },
  ];
};

/** A place is explained by its own level and those above it. */
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
  return levels.map(({ country, evidence, ...level }) => ({
    profile: { ...blank, country, fields: { ...blank.fields, ...level } },
    evidence: evidence.flatMap((some) => some ?? []),
  }));
};

/** The value of a field that surfaces; nothing when there is none. */
const surfaced = ({ fields }: Provenance, field: string): readonly Evidence[] =>
  (fields[field] ?? []).flatMap(({ value, won, ...mark }) =>
    won && (typeof value === 'string' || typeof value === 'number') ? [{ field, value, ...mark }] : [],
  );
