import { describe, expect, it } from 'vitest';
import type { CodePage, EncodingName } from '../../shared/csv/dialect.ts';
import { peopleIn, peopleMapping } from './people-in.ts';
import { tryFile } from './try-file.ts';

describe('a code page that the definition names', () => {
  it.each<[EncodingName, CodePage, readonly (readonly [string, string])[]]>([
    [
      'windows-1251',
      'windows-1251',
      [
        ['Иван', 'Киев'],
        ['Ольга', 'Псков'],
        ['Юрий', 'Тверь'],
      ],
    ],
    ['cp1251', 'windows-1251', [['Игорь', 'Москва']]],
    ['koi8-r', 'koi8-r', [['Иван', 'Псков']]],
    [
      'windows-1250',
      'windows-1250',
      [
        ['Łukasz', 'Łódź'],
        ['Żaneta', 'Gdańsk'],
        ['Kasia', 'Poznań'],
      ],
    ],
    ['iso-8859-2', 'iso-8859-2', [['Zdeněk', 'Třebíč']]],
    ['windows-1254', 'windows-1254', [['Şule', 'Iğdır']]],
    ['macintosh', 'macintosh', [['Müller', 'Köln']]],
    ['ibm437', 'ibm437', [['Señor Müller', 'Köln']]],
    ['cp850', 'ibm850', [['Søren', 'Ærøskøbing']]],
    ['cp852', 'ibm852', [['Erzsébet Kőszegi', 'Győr']]],
    [
      'sjis',
      'shift_jis',
      [
        ['花子', '東京'],
        ['表', 'ソウル'],
      ],
    ],
    ['gbk', 'gb18030', [['伟', '北京']]],
    ['big5', 'big5', [['美玲', '台北']]],
    ['euc-kr', 'euc-kr', [['민준', '서울']]],
  ])('reads names and cities: %s', async (encoding, codePage, expected) => {
    const { job, stored } = await tryFile(peopleIn(codePage, expected), {
      change: { encoding, mapping_fields: peopleMapping },
    });
    expect(job?.dialect?.encoding).toBe(codePage);
    expect(stored.map(({ fields }) => fields.first_name)).toEqual(expected.map(([name]) => name));
  });
});

const western: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'German',
    [
      ['Jürgen', 'Köln'],
      ['Käthe Groß', 'Goethestraße 5, Düsseldorf'],
      ['Änne', 'Gütersloh'],
    ],
  ],
  [
    'Austrian and Swiss',
    [
      ['Jörg', 'St. Pölten'],
      ['Urs Müller', 'Zürich'],
      ['Zoë', 'Genève'],
    ],
  ],
  [
    'French',
    [
      ['Hélène', 'Orléans'],
      ['François', 'Besançon'],
      ['Maël', 'Rue de l’Église'],
      ['Anaïs', 'Nîmes'],
    ],
  ],
  [
    'Spanish',
    [
      ['José Muñoz', 'Málaga'],
      ['Mª Ángeles', 'Calle 2º'],
      ['Íñigo', 'Cádiz'],
      ['Begoña', 'León'],
    ],
  ],
  [
    'Italian',
    [
      ['Nicolò', 'Forlì'],
      ['Giosuè', 'Cefalù'],
      ['Mosè Cantù', 'Piazza Libertà'],
    ],
  ],
  [
    'Dutch',
    [
      ['Zoë', 'Coevorden'],
      ['Daniël', 'Enschede'],
      ['Renée', 'Curaçao'],
      ['Loïs', 'België'],
    ],
  ],
  [
    'Swedish',
    [
      ['Åsa', 'Malmö'],
      ['Göran', 'Växjö'],
      ['Linnéa', 'Jönköping'],
    ],
  ],
  [
    'Danish',
    [
      ['Søren', 'Århus'],
      ['Kjær', 'Næstved'],
      ['Jørgen', 'Rødovre'],
    ],
  ],
  [
    'Norwegian',
    [
      ['Bjørn', 'Tromsø'],
      ['Håkon', 'Ålesund'],
      ['Pål', 'Bodø'],
    ],
  ],
  [
    'Icelandic',
    [
      ['Guðrún', 'Reykjavík'],
      ['Þórður', 'Kópavogur'],
      ['Sigríður', 'Ísafjörður'],
      ['Björk', 'Höfn'],
    ],
  ],
  [
    'Portuguese',
    [
      ['João', 'São Paulo'],
      ['Conceição', 'Évora'],
      ['Inês', 'Setúbal'],
      ['Simões', 'Guimarães'],
    ],
  ],
  [
    'Finnish',
    [
      ['Päivi', 'Jyväskylä'],
      ['Jyrki Hämäläinen', 'Töölö'],
    ],
  ],
  ['one umlaut', [['Müller', 'Berlin']]],
  ['one accent', [['José', 'Madrid']]],
];

describe('text of Western Europe in Windows-1252', () => {
  it.each(western)('is sure, without a word: %s', async (_, people) => {
    const { doubts, job, stored } = await tryFile(peopleIn('windows-1252', people));
    expect(job?.dialect?.encoding).toBe('windows-1252');
    expect({ doubts: doubts.filter(({ column }) => column === null), warnings: job?.warnings }).toEqual({
      doubts: [],
      warnings: [],
    });
    expect(stored.map(({ fields }) => fields.first_name)).toEqual(people.map(([name]) => name));
  });
});
