import { describe, expect, it } from 'vitest';
import { peopleFile, tryFile } from './try-file.ts';

const tryGenders = async (header: string, cells: readonly string[]) => {
  const tried = await tryFile(peopleFile(`E-mail;${header}`, cells));
  return { ...tried, genders: tried.stored.map(({ fields }) => fields.gender) };
};

describe('words for genders', () => {
  it.each([
    ['Køn', ['K', 'M', 'k'], ['female', 'male', 'female']],
    ['Neme', ['F', 'N', 'N'], ['male', 'female', 'female']],
    ['Neme', ['férfi', 'Nő', 'nő'], ['male', 'female', 'female']],
    ['Geslacht', ['V', 'M', 'M'], ['female', 'male', 'male']],
    ['Sukupuoli', ['N', 'M', 'N'], ['female', 'male', 'female']],
    ['Φύλο', ['Α', 'Γ', 'Γ'], ['male', 'female', 'female']],
    ['Φύλο', ['Άνδρας', 'Γυναίκα'], ['male', 'female']],
    ['Pohlaví', ['Ž', 'M'], ['female', 'male']],
    ['Cinsiyet', ['K', 'E', 'E'], ['female', 'male', 'male']],
    ['Cinsiyet', ['Kadın', 'ERKEK'], ['female', 'male']],
    ['Geschlecht', ['w', 'm', 'd'], ['female', 'male', 'd']],
    ['Geschlecht', ['Herr', 'Frau', 'divers'], ['male', 'female', 'divers']],
    ['Sexe', ['Mme', 'M.', 'M.'], ['female', 'male', 'male']],
    ['Sexo', ['H', 'M', 'M'], ['male', 'female', 'female']],
    ['Sexo', ['V', 'M', 'M'], ['male', 'female', 'female']],
    ['Sexo', ['Sr.', 'Sra.'], ['male', 'female']],
    ['성별', ['남', '여'], ['male', 'female']],
    ['Gender', ['Kvinna', 'Man'], ['female', 'male']],
    ['Geslacht', [' V', 'M '], ['female', 'male']],
    ['Gender', ['m', 'f', 'M'], ['male', 'female', 'male']],
    ['Gender', ['M', 'Male', 'F', 'Female'], ['male', 'male', 'female', 'female']],
    ['Gender', ['female', 'Female', 'male', 'x'], ['female', 'female', 'male', 'x']],
    ['Gender', ['Female', 'f', 'Male'], ['female', 'female', 'male']],
    ['Gender', ['Female', 'M', 'Male'], ['female', 'male', 'male']],
  ])('become male and female, and are said: %s %j', async (header, cells, expected) => {
    const { genders, doubts, errors } = await tryGenders(header, cells);
    expect({ genders, errors }).toEqual({ genders: expected, errors: [] });
    const own = doubts.filter(({ column }) => column === header);
    expect(own).toMatchObject([{ column: header, cells: cells.length }]);
    expect(own[0]?.saw).toMatch(/^Words for genders: "/);
    expect(own[0]?.does).toMatch(/^Stores ".* as (?:fe)?male/);
  });

  it('are counted in the doubt', async () => {
    const { doubts } = await tryGenders('Køn', ['K', 'M', 'K', '?', 'K', 'M']);
    expect(doubts).toMatchObject([
      {
        saw: 'Words for genders: "K" (3), "M" (2), "?" (1).',
        does: 'Stores "K" as female, "M" as male. Keeps "?".',
      },
    ]);
  });

  it.each([
    ['Gender', ['m', 'f', 'm']],
    ['Gender', ['Male', 'Female', 'other']],
    ['Sex', ['F', 'F', 'M']],
  ])('stay as they are without a word, where most files have them: %s %j', async (header, cells) => {
    const { genders, doubts } = await tryGenders(header, cells);
    expect({ genders, doubts }).toEqual({ genders: cells, doubts: [] });
  });

  it.each([
    ['Gender', ['F', 'N', 'F']],
    ['Gender', ['V', 'M', 'V']],
    ['Gender', ['M', 'N', 'M']],
    ['Gender', ['H', 'M', 'H']],
    ['Geslacht', ['V', 'M', 'K']],
    ['Gender', ['K', 'K', 'K']],
  ])('stay as they are and are said, where they may mean two things: %s %j', async (header, cells) => {
    const { genders, doubts } = await tryGenders(header, cells);
    expect(genders).toEqual(cells);
    expect(doubts.map(({ does }) => does)).toEqual([
      'Stores them as they are: each word is a segment of its own. Map them to male and female.',
    ]);
  });

  it('are those of a later part of the file, too', async () => {
    const first = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? 'K' : 'M'));
    const { genders } = await tryGenders('Køn', [...first, 'k', 'm']);
    expect(genders.slice(-2)).toEqual(['female', 'male']);
  });
});
