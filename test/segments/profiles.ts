import type { ResolvedProfile } from '../../shared/profiles/types.ts';

/** The values of a profile in a test; all other values are unknown. */
export interface ProfileSketch {
  readonly fields?: Partial<ResolvedProfile['fields']>;
  readonly country?: string;
  readonly age?: number;
  readonly tags?: readonly string[];
  readonly sources?: readonly string[];
  readonly likes?: readonly string[];
  readonly consent?: ResolvedProfile['consent'];
  readonly extra?: ResolvedProfile['extra'];
}

/** A profile of which nothing is known. */
export const blank: ResolvedProfile['fields'] = {
  ...{ last_name: null, professional_id: null, street: null, street2: null, city: null, state: null },
  ...{ zipcode: null, education_level: null, home_owner_status: null, ethnicity: null, first_name: null },
  ...{ full_name: null, social_id: null, home_value: null, has_children: null, phone_number: null },
  ...{ birthday: null, gender: null, marital_status: null, email: null, household_income: null },
  unique_id: null,
};

/** A surfaced profile with an id, the values of the sketch and no others. */
export const surfaced = (ordinal: number, sketch: ProfileSketch = {}): ResolvedProfile => ({
  ordinal,
  fields: { ...blank, unique_id: `u${ordinal}`, ...sketch.fields },
  country: sketch.country ?? null,
  age: sketch.age ?? null,
  sources: sketch.sources ?? [],
  tags: (sketch.tags ?? []).map((tag) => ({ tag, datetime: '2026-01-02 03:04:05' })),
  likes: sketch.likes ?? [],
  consent: sketch.consent ?? [],
  restricted: false,
  withoutSpecial: false,
  extra: sketch.extra ?? {},
  former: [],
  created: null,
  updatedAt: 0,
  usedSince: 0,
});
