/** What is known of one person, and the questions that several panels ask of it. */
import type { IdentityKind } from '../../../../client/src/identity.ts';
import { profileParts } from '../../../../client/src/profile-parts.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer } from '../../../../client/src/types.ts';

/** A person as a lookup shows them, with the source of each value. */
export type Known = Answer<'getProfile'>;

/** The sources of all values of a person. */
export type Provenance = NonNullable<Known['provenance']>;

/** A stored value of a field. */
export type Value = Provenance['fields'][string][number];

/** Looks a person up, with all that this screen shows. Throws as a call does. */
export const askFor = (
  api: Tidemark,
  query: Partial<Record<IdentityKind, string>>,
  signal?: AbortSignal,
): Promise<Known> => api.getProfile({ query: { ...query, explain: true, include: profileParts }, signal });

const nothing: Provenance = {
  fields: {},
  extra_data: {},
  tags: [],
  removed_tags: [],
  replaced_tags: [],
  social_likes: [],
  sources: [],
  consent: [],
  erased: [],
};

/** The sources of the values of a person. */
export const provenanceOf = ({ provenance }: Known): Provenance => provenance ?? nothing;

/** The channel of an objection to every use. */
export const EVERY_USE = '*';

/** The kinds of identities that a person may have several of. */
export const identityFields = ['email', 'unique_id', 'social_id'] as const;

/** A kind of identity. */
export type IdentityField = (typeof identityFields)[number];

/** An identity that finds this person, with its source. */
export interface KnownIdentity extends Value {
  readonly field: IdentityField;
  readonly text: string;
}

/** Every identity that finds the person; of each kind, the one that lookups show first. */
export const identitiesOf = (known: Known): readonly KnownIdentity[] => {
  const { fields } = provenanceOf(known);
  return identityFields.flatMap((field) =>
    (fields[field] ?? []).map((value) => ({ ...value, field, text: String(value.value) })),
  );
};

/** The time of a tag, `YYYY-MM-DD HH:MM:SS` in UTC, as ISO 8601. */
export const isoOf = (time: string): string => (time.includes('T') ? time : `${time.replace(' ', 'T')}Z`);
