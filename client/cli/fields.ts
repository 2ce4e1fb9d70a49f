/** The fields of a person, by the names of the API. */

/** The fields of a person that an export has without `--columns`. Each key of the extra data follows as a column. */
export const exportFields = [
  'first_name',
  'last_name',
  'full_name',
  'email',
  'unique_id',
  'social_id',
  'phone_number',
  'profile_uuid',
  'birthday',
  'age',
  'gender',
  'street',
  'street2',
  'city',
  'state',
  'zipcode',
  'country',
  'tags',
  'source',
  'social_likes',
  'professional_id',
  'education_level',
  'home_owner_status',
  'home_value',
  'household_income',
  'marital_status',
  'ethnicity',
  'has_children',
] as const;

/** The fields that `--columns` may name: also the age by which segments decide. */
export const columnFields: readonly string[] = [...exportFields, 'current_age'];

/** Columns of an export that no condition compares. A condition says `tag` for one of the tags. */
const onlyExported: ReadonlySet<string> = new Set(['profile_uuid', 'tags', 'social_likes']);

/** The fields that a condition compares, besides the keys of the extra data. */
export const conditionFields: readonly string[] = [
  ...exportFields.filter((name) => !onlyExported.has(name)),
  'tag',
  'created',
];
