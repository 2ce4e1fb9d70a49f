/** What a text may mean as the name of a person: the rule of everything that takes a name in one box. */
import type { Tidemark } from './tidemark.ts';
import type { Answer } from './types.ts';

/** A search by name, as the API takes it. */
export interface NameQuery {
  readonly last_name: string;
  readonly first_name?: string;
  readonly city?: string;
}

/**
 * The searches for a text such as `Müller`, `Anna Müller`, `Müller, Köln`, `Anna Müller, Köln`, `Müller, Anna` or
 * `Müller, Anna, Köln`, the likeliest first: four at most. The first one that finds somebody is what was meant. A `city`
 * goes with each.
 */
export const nameTrials = (text: string, city?: string): readonly NameQuery[] => {
  const [names = '', ...more] = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const town = city ?? (more.length === 0 ? undefined : more.join(', '));
  const inTown = town === undefined ? {} : { city: town };
  const trials: NameQuery[] = [{ last_name: names, ...inTown }];
  for (const [first_name, last_name] of splitNames(names)) trials.push({ first_name, last_name, ...inTown });
  const [first, ...rest] = more;
  if (first === undefined) return trials;
  const place = city ?? (rest.length === 0 ? undefined : rest.join(', '));
  return [
    ...trials,
    { last_name: names, first_name: first, ...(place === undefined ? {} : { city: place }) },
  ];
};

/** First and last names of which a text may consist. Words such as `von` count to neither. */
const splitNames = (names: string): readonly (readonly [first: string, last: string])[] => {
  const words = names.split(/\s+/);
  const [first = '', ...last] = words;
  if (last.length === 0) return [];
  const whole = [first, last.join(' ')] as const;
  return last.length === 1 ? [whole] : [whole, [words.slice(0, -1).join(' '), words.at(-1) ?? '']];
};

/** The people of the first of these searches that finds somebody; otherwise what the last one says. Throws as a call does. */
export const findNamed = async (
  api: Pick<Tidemark, 'findPeople'>,
  trials: readonly NameQuery[],
): Promise<Answer<'findPeople'>> => {
  const [query = { last_name: '' }, ...others] = trials;
  const found = await api.findPeople({ query });
  return found.profiles.length > 0 || others.length === 0 ? found : findNamed(api, others);
};
