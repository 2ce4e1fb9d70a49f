import { describe, expect, it } from 'vitest';
import type { CodePage } from '../../shared/csv/dialect.ts';
import { placesOf } from './people-in.ts';
import { tryFile } from './try-file.ts';

const twice = (text: string, codePage: CodePage): string =>
  new TextDecoder(codePage).decode(Buffer.from(text));

describe('text that was decoded once too often', () => {
  it.each<[string, CodePage, readonly (readonly [string, string])[]]>([
    [
      'German and French',
      'windows-1252',
      [
        ['Käthe', 'Lübeck'],
        ['René', 'Orléans'],
      ],
    ],
    [
      'with capitals and quotes',
      'windows-1252',
      [
        ['Ärger', 'Öhringen'],
        ['D’Angelo', 'Straße “5”'],
      ],
    ],
    [
      'Polish',
      'windows-1250',
      [
        ['Łukasz', 'Łódź'],
        ['Michał', 'Gdańsk'],
      ],
    ],
    [
      'Russian',
      'windows-1251',
      [
        ['Иван', 'Псков'],
        ['Ольга', 'Тверь'],
      ],
    ],
    [
      'Greek',
      'windows-1252',
      [
        ['Ελένη', 'Αθήνα'],
        ['Μαρία', 'Βόλος'],
      ],
    ],
  ])('is mended and said: %s', async (_, codePage, people) => {
    const wrong = people.map(([name, city]) => [twice(name, codePage), twice(city, codePage)] as const);
    const rows = wrong.map(([name, city], index) => `p${index}@example.org;${name};${city}\n`);
    const { doubts, job, stored } = await tryFile(`Email;First Name;City\n${rows.join('')}`);
    expect(doubts.find(({ column }) => column === null)?.saw).toContain('decoded once too often');
    expect(job?.warnings).toMatchObject([{ code: 'decoded_twice' }]);
    expect(job?.dialect?.encoding).toBe('utf-8-twice');
    expect(placesOf(stored)).toEqual(people);
  });

  it('leaves right text beside it as it is, and is only said where most text is right', async () => {
    const names = ['Jürgen', 'Käthe', 'Zoë', 'Jörg', twice('René', 'windows-1252')];
    const rows = names.map((name, index) => `p${index}@example.org;${name}\n`).join('');
    const file = `Email;First Name\n${rows}`;
    const plain = await tryFile(file);
    expect(plain.stored.at(-1)?.fields.first_name).toBe('RenÃ©');
    expect(plain.job?.warnings).toMatchObject([{ code: 'decoded_twice' }]);
    expect(plain.job?.warnings[0]?.message).toContain('RenÃ© for René');
    const mended = await tryFile(file, { change: { encoding: 'utf-8-twice' } });
    expect(mended.stored.map(({ fields }) => fields.first_name)).toEqual([...names.slice(0, 4), 'René']);
  });

  it('is not suspected in text that only looks like it', async () => {
    const names = ['JOSÉ’S', 'RŮŽIČKA', 'DĹŽKA', 'SÃO', '„Ä“', 'Різдво', '東京', 'Ærøskøbing'];
    const rows = names.map((name, index) => `p${index}@example.org;${name}\n`).join('');
    const { job, stored } = await tryFile(`Email;First Name\n${rows}`);
    expect(job?.warnings).toEqual([]);
    expect(stored.map(({ fields }) => fields.first_name)).toEqual(names);
  });
});
