import { returnedFields, type ExtraValue, type Identity, type Tag, type Tier } from './types.ts';

const identityFields: ReadonlySet<string> = new Set(['unique_id', 'email', 'social_id']);

/** A scalar attribute that is no identity: the returned fields but for identities and the UUID, `country` and `age`. */
export type AttributeName =
  | Exclude<(typeof returnedFields)[number], 'unique_id' | 'email' | 'social_id' | 'profile_uuid'>
  | 'country'
  | 'age';

const isAttribute = (name: string): name is AttributeName =>
  name !== 'profile_uuid' && !identityFields.has(name);

/** All scalar attributes, in the order of the contract. */
export const attributeNames: readonly AttributeName[] = [...returnedFields, 'country', 'age'].filter(
  isAttribute,
);

/** What a record asks of a profile, checked and normalised. Absent: unchanged; `null`: erased. */
export interface ProfilePatch {
  /** Trust of everything but the identities, which are always stated. */
  readonly tier: Tier;
  /** At least one, strongest first. */
  readonly identities: readonly Identity[];
  readonly attributes: Readonly<Partial<Record<AttributeName, string | number | null>>>;
  /** Pairs in the order sent; a pair's `null` erases that key, `null` for all erases every key. */
  readonly extra?: readonly (readonly [string, ExtraValue | null])[] | null;
  readonly tags?: readonly Tag[] | null;
  /** Page identifiers. */
  readonly likes?: readonly string[] | null;
  /** Source labels. */
  readonly labels?: readonly string[] | null;
  /** For the enricher; never stored, returned or logged. */
  readonly socialToken?: string;
}
