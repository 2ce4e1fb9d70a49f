import type { ResolvedProfile } from '../../shared/profiles/types.ts';

const noFields: ResolvedProfile['fields'] = {
  last_name: null,
  professional_id: null,
  street: null,
  street2: null,
  city: null,
  state: null,
  zipcode: null,
  education_level: null,
  home_owner_status: null,
  ethnicity: null,
  first_name: null,
  full_name: null,
  social_id: null,
  home_value: null,
  has_children: null,
  phone_number: null,
  birthday: null,
  gender: null,
  marital_status: null,
  email: null,
  household_income: null,
  unique_id: null,
};

/** A profile with only the given fields. */
export const profile = (
  ordinal: number,
  {
    fields,
    updatedAt = Date.parse('2026-05-05T12:00:00Z'),
    ...rest
  }: { fields?: Partial<ResolvedProfile['fields']> } & Partial<Omit<ResolvedProfile, 'fields'>> = {},
): ResolvedProfile => ({
  ordinal,
  fields: { ...noFields, ...fields },
  country: null,
  age: null,
  sources: [],
  tags: [],
  likes: [],
  consent: [],
  restricted: false,
  withoutSpecial: false,
  extra: {},
  former: [],
  updatedAt,
  usedSince: updatedAt,
  ...rest,
});
