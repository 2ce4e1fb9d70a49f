import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listIn } from '../../shared/imports/mapping/read-lists.ts';
import { casesOf } from '../support/scale.ts';
import { peopleFile, tryFile } from './try-file.ts';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const tryTags = async (cells: readonly string[], { header = 'Email,Tags' } = {}) => {
  const { stored, doubts, errors, warnings } = await tryFile(peopleFile(header, cells.map(quoted)));
  expect(errors).toEqual([]);
  const tags = stored.map((person) => person.tags.map(({ tag }) => tag).toSorted());
  return { tags, stored, saw: doubts.map(({ saw }) => saw), warnings };
};
const lists = 'Lists with quotes or brackets around the values.';

describe('lists in a cell', () => {
  it.each([
    [
      'quoted values',
      ['"Opera club","Early music"', '"Opera club"'],
      [['Early music', 'Opera club'], ['Opera club']],
    ],
    ['JSON', ['["Opera, club","caf\\u00e9"]', '["Jazz"]', '[]'], [['Opera, club', 'café'], ['Jazz'], []]],
    [
      'JSON with numbers',
      ['["a", 12345678901234567890]', '[1.10]'],
      [['12345678901234567890', 'a'], ['1.10']],
    ],
    ['PostgreSQL', ['{Jazz,"Early music",NULL}', '{}'], [['Early music', 'Jazz'], []]],
    ['Python', [`['Jazz', "Children's theatre"]`, "['Opera']"], [["Children's theatre", 'Jazz'], ['Opera']]],
    ['quotes where they are needed', ['Opera,"Smith, John"', '"Jazz"'], [['Opera', 'Smith, John'], ['Jazz']]],
    ['single quotes', [`'Opera club', 'Early music'`, "'Jazz'"], [['Early music', 'Opera club'], ['Jazz']]],
    ['values with semicolons', ['"Food; drink","Opera"', '"Jazz"'], [['Food; drink', 'Opera'], ['Jazz']]],
  ])('lose what is around their values, and it is said: %s', async (_, cells, expected) => {
    const { tags, saw } = await tryTags(cells);
    expect(tags).toEqual(expected);
    expect(saw).toEqual([lists]);
  });

  it.each([
    [
      'line breaks',
      ['Jazz\nOpera', 'Opera\r\nDance', 'Film'],
      [['Jazz', 'Opera'], ['Dance', 'Opera'], ['Film']],
    ],
    ['colons', ['Jazz::Opera', 'Dance'], [['Jazz', 'Opera'], ['Dance']]],
    [
      'address books',
      ['* myContacts ::: Hall friends', '* myContacts'],
      [['Hall friends', 'myContacts'], ['myContacts']],
    ],
    [
      'commas and spaces',
      ['Jazz, Opera', 'Dance, Film'],
      [
        ['Jazz', 'Opera'],
        ['Dance', 'Film'],
      ],
    ],
  ])('are split where they show it: %s', async (_, cells, expected) => {
    const { tags, saw } = await tryTags(cells);
    expect({ tags, saw }).toEqual({ tags: expected, saw: [] });
  });

  it('of objects are dropped, and said', async () => {
    const { tags, saw, warnings } = await tryTags(['[{"name":"Jazz"}]', '["Opera"]']);
    expect(tags).toEqual([[], ['Opera']]);
    expect(saw).toEqual([lists, 'Cells with quotes or brackets that are no such list.']);
    expect(warnings).toHaveLength(1);
  });

  it('are said if one tag has brackets of its own', async () => {
    const { tags, saw } = await tryTags(['[VIP]', 'Jazz', 'Opera']);
    expect(tags).toEqual([['[VIP]'], ['Jazz'], ['Opera']]);
    expect(saw).toEqual(['Quotes or brackets around values.']);
  });

  it('are said if they have the quotes of printed text', async () => {
    const { tags, saw } = await tryTags(['“Opera club”, “Jazz”', '„Rock“', '«Film», «Pop»']);
    expect(tags).toEqual([['“Jazz”', '“Opera club”'], ['„Rock“'], ['«Film»', '«Pop»']]);
    expect(saw).toEqual(['Quotes or brackets around values.']);
  });

  it('with one group of an address book each lose its mark', async () => {
    const { tags, saw } = await tryTags(['* myContacts', '* Friends']);
    expect({ tags, saw }).toEqual({ tags: [['myContacts'], ['Friends']], saw: [] });
  });

  it('are said if some cells have another separator', async () => {
    const { tags, saw } = await tryTags(['Jazz; Opera', 'Rock, Pop', 'Film']);
    expect(tags).toEqual([['Jazz', 'Opera'], ['Rock, Pop'], ['Film']]);
    expect(saw).toEqual(['Cells without ";" that may have other separators.']);
  });

  it('are lists of sources too', async () => {
    const { stored } = await tryTags(['["box office","web shop"]', '["phone"]'], { header: 'Email,source' });
    expect(stored.map(({ sources }) => sources.toSorted())).toEqual([['box office', 'web shop'], ['phone']]);
  });
});

describe('the reader of lists', () => {
  it('reads what systems write', () => {
    const value = fc
      .string({
        unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', "'", '\\', '[', '{', '}', ']'),
        minLength: 1,
        maxLength: 8,
      })
      .map((text) => `x${text.trim()}`);
    const writers: readonly ((values: readonly string[]) => string)[] = [
      (values) => JSON.stringify(values),
      (values) => values.map(quoted).join(','),
      (values) => values.map(quoted).join('; '),
      (values) => `{${values.map((one) => `"${one.replace(/["\\]/g, (sign) => `\\${sign}`)}"`).join(',')}}`,
    ];
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...writers),
        (values, write) => {
          // Quoted lists have no escapes, so a backslash in them is not certain.
          const text = write(values);
          fc.pre(text.startsWith('[') || text.startsWith('{') || !text.includes('\\'));
          expect(listIn(text)).toEqual(values);
        },
      ),
      { numRuns: casesOf('LIST_RUNS', { full: 5_000, sample: 1_000 }) },
    );
  });

  it.each([
    ["'a', 'b'", ['a', 'b']],
    ["'a';'b, c'", ['a', 'b, c']],
    ["'it''s'", ["it's"]],
    ["'t Hooft, 's-Gravenhage", ["'t Hooft", "'s-Gravenhage"]],
    ["'90s, rock 'n'", ["'90s", "rock 'n'"]],
  ])('takes apostrophes for quotes only if all values have them: %s', (text, values) => {
    expect(listIn(text)).toEqual(values);
  });

  it.each(['["a"', '["a"]x', '"a" b', '"a', "['a\\n']", '[["a"]]', '{"a":1}', 'a"b', "[u'a']", '{a,{b}}'])(
    'refuses %s',
    (text) => {
      expect(listIn(text)).toBeUndefined();
    },
  );
});
