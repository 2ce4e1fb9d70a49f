import { describe, expect, it } from 'vitest';
import { tryFile } from './try-file.ts';

const fileOf =
  (...rows: readonly (readonly string[])[]) =>
  (delimiter: string) =>
    rows.map((cells) => `${cells.join(delimiter)}\n`).join('');

const people = fileOf(
  ['first', 'last', 'email', 'city'],
  ['Amelia', 'Ashworth', 'ca1@example.org', 'York'],
  ['Ben', 'Lee', 'ca2@example.org', 'Hull'],
);
const addressesFirst = fileOf(['email', 'city'], ['ca1@example.org', 'York'], ['ca2@example.org', 'Hull']);

describe('a delimiter that the service does not read', () => {
  it.each([
    ['"^"', people('^')],
    ['"^"', addressesFirst('^')],
    ['"~"', people('~')],
    ['"¦"', addressesFirst('¦')],
    ['a control character', people('\u0001')],
    ['a control character', addressesFirst('\u001f')],
    ['runs of spaces', people('    ')],
    ['runs of spaces', addressesFirst('  ')],
  ])('is said, and no cell counts as an address: %s', async (sign, file) => {
    const { inspected, doubts, stored } = await tryFile(file);
    expect(doubts).toMatchObject([
      {
        column: null,
        saw: `The file has one column, and its header and cells contain ${sign}, which may delimit them.`,
        cells: 2,
      },
    ]);
    expect(inspected.suggestion.has_identity).toBe(false);
    expect(inspected.suggestion.notes[0]).toContain(`contain ${sign}, which may delimit them. Save the file`);
    expect(JSON.stringify(inspected.suggestion)).not.toContain('e-mail addresses');
    expect(stored).toEqual([]);
  });

  it.each([
    ['a comma', people(',')],
    ['one column of addresses', 'email\nca1@example.org\nca2@example.org\n'],
    [
      'one column of addresses and words',
      'email\nca1@example.org (home)\nca2@example.org; ca3@example.org\n',
    ],
    ['one column with signs in some cells', 'email\nca~1@example.org\nca2@example.org\nca3@example.org\n'],
  ])('is told from %s', async (_, file) => {
    const { inspected, doubts } = await tryFile(file);
    expect(doubts.filter(({ column }) => column === null)).toEqual([]);
    expect(inspected.suggestion.has_identity).toBe(true);
  });
});
