import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';

/** What the inspection says about a file, by the start of the sentence. */
const doubtsOf = async (file: string, targets: Readonly<Record<string, string>> = {}, start = '') =>
  (await inspectFile(file, undefined, targets)).suggestion.doubts.filter(({ saw }) => saw.startsWith(start));

const clients = ['Ana', 'Ion', 'Mara', 'Dan', 'Ilinca', 'Radu', 'Sanda', 'Tudor'];
const surnames = ['Pop', 'Rusu', 'Stan', 'Luca', 'Dinu', 'Ene', 'Marin', 'Toma'];

describe('rows that slid by a column', () => {
  const people = (rows: readonly string[]): string =>
    ['Email,First Name,Company,City,State,Zip,Notes', ...rows, ''].join('\n');
  const right = clients.map((name, at) => `${name.toLowerCase()}@example.org,${name},,Boston,MA,0211${at},`);

  it.each([
    ['a comma in a name', 'ada@example.org,Ada,Pike, Dunn & Co,Boston,MA,02115', 'State: Boston'],
    ['two commas', 'ada@example.org,Ada,Pike, Dunn, Co,Boston,MA', 'State:  Co'],
  ])('are said: %s', async (_, row, example) => {
    const doubts = await doubtsOf(people([...right, row]), {}, 'Cells stand too far');
    expect(doubts).toEqual([expect.objectContaining({ column: null, cells: 1, examples: [example] })]);
  });

  it('are said where only dates and numbers have a form', async () => {
    const rows = clients.map((name, at) => `${name};Kiel;1980-01-1${at};0431 22${at}`);
    const file = ['Name;Ort;Geboren;Telefon', ...rows, 'Eva;Bad; Kiel;1980-01-30', ''].join('\n');
    const doubts = await doubtsOf(file, {}, 'Cells stand too far');
    expect(doubts).toEqual([expect.objectContaining({ cells: 1, examples: ['Geboren:  Kiel'] })]);
  });

  it.each([
    ['words in the place of a number', 'ada@example.org,Ada,,Boston,MA,unknown,2019'],
    ['blank cells', 'ada@example.org,Ada,,,,,'],
    ['a state in words', 'ada@example.org,Ada,,Boston,Mass.,02115,'],
  ])('are none: %s', async (_, row) => {
    const doubts = await doubtsOf(people([...right, row]), {}, 'Cells stand too far');
    expect(doubts.map(({ examples }) => examples)).toEqual(row.includes('2019') ? [['Zip: unknown']] : []);
  });
});

describe('an address of rows that differ in all else', () => {
  const file = (address: (at: number) => string, rest: (at: number) => string): string =>
    ['E-mail;Persoana;Cod', ...clients.map((_, at) => `${address(at)};${rest(at)}`), ''].join('\n');
  const saw = 'The rows of one address differ';
  const own = (at: number): string => `${clients[at]?.toLowerCase()}@example.ro`;

  it('is said, though no column is known as a name or an id', async () => {
    const doubts = await doubtsOf(
      file(
        (at) => (at % 2 === 0 ? own(at) : 'nuare@example.ro'),
        (at) => `${surnames[at]} ${clients[at]};7${at}`,
      ),
      {},
      saw,
    );
    expect(doubts).toEqual([
      expect.objectContaining({ column: 'E-mail', cells: 4, examples: ['nuare@example.ro'] }),
    ]);
  });

  it('is none where one person comes again', async () => {
    const again = file(
      (at) => (at % 2 === 0 ? own(at) : 'ion@example.ro'),
      (at) => (at % 2 === 0 ? `${surnames[at]} ${clients[at]};7${at}` : `Pop Ion;7${at}`),
    );
    expect(await doubtsOf(again, {}, saw)).toEqual([]);
  });
});

describe('a column of ids', () => {
  const rows = clients.map((name, at) => `${at + 1};${name};${name.toLowerCase()}@example.ro`);

  it.each(['Total Cluj', 'TOTAL GENERAL', 'Summe', '합계', 'Grand total'])(
    'with the line of sums %j makes no person of it',
    async (word) => {
      const file = ['Cod;Client;E-mail', ...rows, `${word};;`, ''].join('\n');
      const { doubts, stored, errors } = await tryFile(file, { targets: { Cod: 'unique_id' } });
      expect(doubts.find(({ saw }) => saw.startsWith('Lines of sums'))).toMatchObject({ examples: [word] });
      expect([stored.length, errors.map(({ code }) => code)]).toEqual([8, ['identity_missing']]);
    },
  );

  it.each(['Nr. crt.', '#', 'Row', 'Lfd. Nr.'])('that counts the rows is doubted: %s', async (name) => {
    const file = [`${name};Client;E-mail`, ...rows, ''].join('\n');
    const doubts = await doubtsOf(file, { [name]: 'unique_id' }, 'The numbers count the rows');
    expect(doubts).toEqual([expect.objectContaining({ column: name, cells: 8 })]);
  });

  it('that numbers customers in order is not doubted', async () => {
    const file = ['Customer ID;Client;E-mail', ...rows, ''].join('\n');
    expect(await doubtsOf(file, {}, 'The numbers count the rows')).toEqual([]);
  });
});
