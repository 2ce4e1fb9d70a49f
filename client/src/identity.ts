/** What an identity of a person is, by its look: the rule of everything that takes any identity in one box. */

/** The names under which the API looks a person up. */
export const identityKinds = ['email', 'unique_id', 'social_id', 'profile_uuid', 'phone_number'] as const;

/** What an identity may be. */
export type IdentityKind = (typeof identityKinds)[number];

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What an identity is, by its look. What looks like nothing else is an id of the reader's own (`unique_id`). */
export const identityKindOf = (identity: string): IdentityKind => {
  if (identity.includes('@')) return 'email';
  if (uuid.test(identity)) return 'profile_uuid';
  return /^\+[\d ()/-]{8,}$/.test(identity) ? 'phone_number' : 'unique_id';
};

/** The query of a lookup by an identity. Telephone numbers are stored without spaces and signs. */
export const identityQuery = (
  identity: string,
  kind: IdentityKind = identityKindOf(identity),
): Partial<Record<IdentityKind, string>> => ({
  [kind]: kind === 'phone_number' ? identity.replaceAll(/[ ()/-]/g, '') : identity,
});
