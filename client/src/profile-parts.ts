/** What a lookup of a profile shows besides its fields, when the query asks for it (`include`). */
export const profileParts = [
  'age',
  'country',
  'tags',
  'social_likes',
  'sources',
  'extra_data',
  'consent',
  'segments',
] as const;
