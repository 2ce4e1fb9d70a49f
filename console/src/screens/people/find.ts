/** Finds a person by whatever the reader typed. */
import { identityKindOf, identityQuery, type IdentityKind } from '../../../../client/src/identity.ts';
import { TidemarkProblem } from '../../../../client/src/problem.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import { askFor, type Known } from './known.ts';

/** Whom a text means: one person, several who share a telephone number, or nobody. */
export type Outcome =
  | { readonly kind: 'person'; readonly known: Known }
  | { readonly kind: 'several'; readonly uuids: readonly string[] }
  | { readonly kind: 'nobody'; readonly looksLike: IdentityKind; readonly needsCountry: boolean };

/** No identity is longer. */
const LONGEST = 1_024;

/** Digits as people write telephone numbers, without a country code. */
const LOCAL_NUMBER = /^[\d ()./-]{6,}$/;

/** The kinds that a text may be, the most likely first. An id of the reader's own may look like anything. */
const kindsOf = (text: string): readonly IdentityKind[] => [
  ...new Set<IdentityKind>([identityKindOf(text), 'unique_id', 'social_id']),
];

/** Whether the service says that nobody has this identity, or that it is none of this kind. */
const isNobody = (error: unknown): boolean =>
  error instanceof TidemarkProblem && (error.status === 404 || error.status === 400);

/** Finds the person whom a text means. Throws as a call does, but not for an identity that nobody has. */
export const findPerson = async (api: Tidemark, text: string): Promise<Outcome> => {
  const kinds = text.length > LONGEST ? [] : kindsOf(text);
  for (const kind of kinds) {
    try {
      return { kind: 'person', known: await askFor(api, identityQuery(text, kind)) };
    } catch (error) {
      if (error instanceof TidemarkProblem && error.code === 'several_people')
        return { kind: 'several', uuids: error.errors.map(({ detail }) => detail) };
      if (!isNobody(error)) throw error;
    }
  }
  return { kind: 'nobody', looksLike: identityKindOf(text), needsCountry: LOCAL_NUMBER.test(text) };
};
