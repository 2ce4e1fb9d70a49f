/** What a person is called: the same on every screen. */
import type { Answer } from '../../client/src/types.ts';
import type { Texts } from './texts/en.ts';

type Named = Partial<
  Pick<
    Answer<'getProfile'>['profile'],
    'first_name' | 'last_name' | 'full_name' | 'email' | 'unique_id' | 'social_id'
  >
>;

/**
 * The full name, which a source wrote as a whole, perhaps with a title. Without it, the first and the last name. Without
 * these, an identity.
 */
export const personName = (profile: Named, texts: Texts): string => {
  const { first_name, last_name, full_name, email, unique_id, social_id } = profile;
  const parts = [first_name, last_name].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return (
    [full_name, parts, email, unique_id, social_id].find((name) => typeof name === 'string' && name !== '') ??
    texts.people.nameless
  );
};
