import { expect, it } from 'vitest';
import { findNamed, nameTrials, type NameQuery } from '../../client/src/name-trials.ts';

const shown = (trials: readonly NameQuery[]): readonly string[] =>
  trials.map(({ first_name = '', last_name, city = '' }) => `${first_name}|${last_name}|${city}`);

it.each([
  ['Müller', ['|Müller|']],
  ['Anna Müller', ['|Anna Müller|', 'Anna|Müller|']],
  ['Anna Lena Müller', ['|Anna Lena Müller|', 'Anna|Lena Müller|', 'Anna Lena|Müller|']],
  ['Müller, Köln', ['|Müller|Köln', 'Köln|Müller|']],
  ['Müller, Anna, Köln', ['|Müller|Anna, Köln', 'Anna|Müller|Köln']],
  ['Anna Müller , Köln', ['|Anna Müller|Köln', 'Anna|Müller|Köln', 'Köln|Anna Müller|']],
  ['Müller,', ['|Müller|']],
])('%s may mean %j', (text, trials) => {
  expect(shown(nameTrials(text))).toEqual(trials);
});

it('a town goes with each', () => {
  expect(shown(nameTrials('Anna Müller', 'Köln'))).toEqual(['|Anna Müller|Köln', 'Anna|Müller|Köln']);
  expect(shown(nameTrials('Müller, Anna', 'Köln'))).toEqual(['|Müller|Köln', 'Anna|Müller|Köln']);
});

it('the first search that finds somebody counts, and no further one is made', async () => {
  const asked: string[] = [];
  const nobody = { profiles: [], complete: true, advice: null };
  const ports = {
    findPeople: ({ query: { last_name } }: { readonly query: NameQuery }) => {
      asked.push(last_name);
      return Promise.resolve(nobody);
    },
  };
  expect(await findNamed(ports, nameTrials('Anna Müller'))).toEqual(nobody);
  expect(asked).toEqual(['Anna Müller', 'Müller']);
});
