import { describe, expect, it } from 'vitest';
import { peopleFile, tryFile } from './try-file.ts';

const tryCodes = async (header: string, rows: readonly string[]) => {
  const { doubts, stored } = await tryFile(
    [`Email,${header}`, ...rows.map((row, at) => `p${at}@example.org,${row}`), ''].join('\n'),
  );
  return {
    stored: stored.map(({ fields }) => fields['zipcode']),
    said: doubts.filter(({ saw }) => saw.startsWith('Postal codes')).map(({ examples }) => examples),
  };
};

describe('postal codes of four digits beside those of five', () => {
  it.each([
    ['ZIP', ['02115', '2116', '10001'], ['2116']],
    ['PLZ', ['04109', '4229', '10115', '1067'], ['4229', '1067']],
    ['PLZ,Land', ['04109,DE', '4229,DE'], ['4229']],
  ])('are said, because a 0 may be lost: %s %j', async (header, rows, examples) => {
    const { stored, said } = await tryCodes(header, rows);
    expect(said).toEqual([examples]);
    expect(stored).toEqual(rows.map((row) => row.split(',')[0]));
  });

  it.each([
    ['PLZ,Land', ['10115,DE', '1010,AT', '8001,CH']],
    ['PLZ', ['1010', '8001', '6020']],
    ['Postcode', ['SW1A 1AA', 'M1 1AE']],
  ])('are of several countries, or all alike: %s %j', async (header, rows) => {
    expect((await tryCodes(header, rows)).said).toEqual([]);
  });
});

describe('postal codes that a program has made decimal', () => {
  it.each([
    ['Zip', ['4101.0', '2139.0'], ['4101', '2139']],
    ['PLZ', ['1067.0', '89073.0', '6108.0'], ['1067', '89073', '6108']],
  ])('lose the decimals, and are said: %s', async (name, cells, expected) => {
    const { stored, doubts } = await tryFile(peopleFile(`Email,${name}`, cells));
    expect(stored.map(({ fields }) => fields.zipcode)).toEqual(expected);
    expect(doubts).toMatchObject([{ column: name, cells: cells.length }]);
    expect(doubts[0]?.saw).toContain('has made decimal');
  });
});
