/** Finds a person by whatever the reader typed. */
import { identityKindOf, identityQuery, type IdentityKind } from '../../../../client/src/identity.ts';
import { findNamed, nameTrials } from '../../../../client/src/name-trials.ts';
import { TidemarkProblem } from '../../../../client/src/problem.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer } from '../../../../client/src/types.ts';
import { askFor, type Known } from './known.ts';

/** People of a name: all of them, or some with advice on what to add. */
export type Named = Answer<'findPeople'>;

/** Whom a text means: one person, several who share a telephone number or a name, or nobody. */
export type Outcome =
  | { readonly kind: 'person'; readonly known: Known }
  | { readonly kind: 'several'; readonly uuids: readonly string[] }
  | { readonly kind: 'named'; readonly people: Named }
  | {
      readonly kind: 'nobody';
      readonly looksLike: IdentityKind;
      readonly needsCountry: boolean;
      /** Whether names were looked through; not if the operator has not switched that on. */
      readonly byName: boolean;
      /** What the service advises: to wait or, unless names are looked through, what an operator can do. */
      readonly advice: string | null;
    };

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
  const looksLike = identityKindOf(text);
  const needsCountry = LOCAL_NUMBER.test(text);
  const nobody = { kind: 'nobody', looksLike, needsCountry } as const;
  if (looksLike !== 'unique_id' || text.length > LONGEST) return { ...nobody, byName: false, advice: null };
  const people = await namedBy(api, text);
  if (typeof people !== 'object') return { ...nobody, byName: false, advice: people ?? null };
  const [first, ...others] = people.profiles;
  if (!first) return { ...nobody, byName: true, advice: people.advice };
  if (others.length > 0 || !people.complete) return { kind: 'named', people };
  return { kind: 'person', known: await askFor(api, { profile_uuid: first.profile_uuid ?? '' }) };
};

/**
 * The people whom a text names, such as `Müller`, `Anna Müller` or `Müller, Köln`. A sentence if the property does not search by name,
 * and `undefined` if the text is no name.
 */
const namedBy = async (api: Tidemark, text: string): Promise<Named | string | undefined> => {
  try {
    return await findNamed(api, nameTrials(text));
  } catch (error) {
    if (!(error instanceof TidemarkProblem)) throw error;
    if (error.code === 'names_off') return error.detail;
    if (error.status === 400) return undefined;
    throw error;
  }
};
