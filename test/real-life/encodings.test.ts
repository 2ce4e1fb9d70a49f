import { describe, expect, it } from 'vitest';
import type { CodePage, EncodingName } from '../../shared/csv/dialect.ts';
import { peopleIn, peopleMapping, placesMapping, placesOf } from './people-in.ts';
import { withRemarks } from '../../shared/imports/files/text-remarks.ts';
import { importHarness } from '../imports/import-harness.ts';
import { inspectFile, tryFile } from './try-file.ts';

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
      change: { encoding, mapping_fields: placesMapping },
    });
    expect(job?.dialect?.encoding).toBe(codePage);
    expect(placesOf(stored)).toEqual(expected);
  });
});

describe('a code page that the definition names and that gives no words', () => {
  const danish = peopleIn('ibm850', [
    ['Søren', 'Ærøskøbing'],
    ['Kjær', 'Næstved'],
  ]);
  it.each<[string, Buffer, EncodingName, RegExp]>([
    ['words of DOS', peopleIn('ibm852', [['Łódź', 'Pest']]), 'macintosh', /in macintosh/],
    ['words of DOS', danish, 'macintosh', /in macintosh/],
    ['words of DOS', danish, 'windows-1252', /in windows-1252/],
    ['words of DOS', danish, 'cp1250', /in windows-1250/],
    [
      'UTF-8',
      Buffer.from('Email;First Name\np@x.org;Käthe\n'),
      'latin1',
      /UTF-8: .*"KÃ¤the" in windows-1252/,
    ],
    ['UTF-8', Buffer.from('Email;First Name\np@x.org;Erzsébet\n'), 'cp850', /UTF-8: .* in ibm850/],
    ['Windows-1252', peopleIn('windows-1252', [['Jürgen', 'Köln']]), 'cp850', /in ibm850/],
  ])(
    'is a doubt with a sample and a warning, and the import goes on: %s',
    async (_, file, encoding, words) => {
      const mapping = {
        name: 'named',
        encoding,
        delimiter: 'semicolon' as const,
        mapping_fields: peopleMapping,
      };
      const inspected = await inspectFile(file, importHarness(), {}, mapping);
      const doubts = inspected.suggestion.doubts.filter(({ column }) => column === null);
      expect(doubts.map(({ saw }) => saw).join()).toMatch(words);
      const { job, stored } = await tryFile(file, { change: mapping });
      expect(job?.warnings).toMatchObject([{ code: 'uncertain_encoding' }]);
      expect(job?.warnings[0]?.message).toMatch(words);
      expect(stored.length).toBeGreaterThan(0);
    },
  );

  it.each<[CodePage, string, RegExp]>([
    ['macintosh', 'Tóth', /"T¢th" in macintosh/],
    ['windows-1257', 'Tóth', /in windows-1257/],
    ['koi8-r', 'Erzsébet', /in koi8-r/],
  ])('is a doubt as %s also if one word proves no other: %s', async (encoding, name, words) => {
    const mapping = { name: 'named', encoding, mapping_fields: peopleMapping };
    const inspected = await inspectFile(peopleIn('ibm852', [[name, 'Pest']]), importHarness(), {}, mapping);
    const doubts = inspected.suggestion.doubts.filter(({ column }) => column === null);
    expect(doubts.map(({ saw }) => saw).join()).toMatch(words);
  });

  it.each<[CodePage, string]>([
    ['windows-1252', 'Käthe'],
    ['windows-1250', 'Łódź'],
    ['ibm852', 'Erzsébet'],
    ['ibm850', 'Søren'],
    ['macintosh', 'Müller'],
    ['iso-8859-2', 'Zdeněk'],
    ['iso-8859-15', 'Cœur'],
    ['iso-8859-13', 'Jānis'],
    ['windows-1251', 'Иван'],
    ['shift_jis', '東京'],
  ])('is none if it has its own words: %s', (codePage, name) => {
    const file = peopleIn(codePage, [[name, 'Berlin']]);
    const { remarks } = withRemarks(file, { encoding: codePage, doubt: [], words: 0 }, codePage);
    expect(remarks).toEqual([]);
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
  ['one cedilla', [['François', 'Paris']]],
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
