import { describe, expect, it } from 'vitest';
import type { ImportBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { tryFile } from './try-file.ts';
import { fieldMap, mappingOf } from '../support/field-map.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** What came of a file: its counts, the people by address, and what was refused. */
const outcome = async (file: Buffer | string, change: Partial<ImportBody> = {}) => {
  const tried = await tryFile(file, { change });
  const { ingested, completed, unserializable, status } = tried.job?.counts ?? {};
  return {
    ...tried,
    counts: { ingested, completed, unserializable, status },
    people: tried.stored.map(({ fields: { email, first_name, city } }) => [email, first_name, city]),
    refused: tried.errors.map(({ row, line, code }) => [row, line, code]),
  };
};

const complete = (rows: number) => ({
  ingested: rows,
  completed: rows,
  unserializable: 0,
  status: 'complete',
});

const anke = ['anke@example.org', 'Anke', 'Kiel'];
const bert = ['bert@example.org', 'Bert', 'Jena'];

describe('blank cells behind the last column', () => {
  it.each([
    ['one in every row', 'Email;First Name;City\nanke@example.org;Anke;Kiel;\nbert@example.org;Bert;Jena;\n'],
    [
      'several, in some rows',
      'Email,First Name,City\nanke@example.org,Anke,Kiel,,,\nbert@example.org,Bert,Jena\n',
    ],
    [
      'of spaces and quotes',
      'Email\tFirst Name\tCity\nanke@example.org\tAnke\tKiel\t \t""\nbert@example.org\tBert\tJena\t\u00a0\n',
    ],
    [
      'behind a column without a name',
      'Email;First Name;City;\nanke@example.org;Anke;Kiel;;;\nbert@example.org;Bert;Jena\n',
    ],
    [
      'in UTF-16',
      utf16(
        'Email\tFirst Name\tCity\r\nanke@example.org\tAnke\tKiel\t\r\nbert@example.org\tBert\tJena\t\r\n',
      ),
    ],
  ])('are no cells: %s', async (_, file) => {
    const { counts, people, doubts } = await outcome(file);
    expect({ counts, people, doubts }).toEqual({ counts: complete(2), people: [anke, bert], doubts: [] });
  });

  it('refuse the row when one of them is filled', async () => {
    const { people, refused } = await outcome(
      'Email,First Name,City\nanke@example.org,Anke,Kiel,,x\nbert@example.org,Bert,Jena,\n',
    );
    expect({ people, refused }).toEqual({ people: [bert], refused: [[1, 2, 'too_many_cells']] });
  });
});

describe('rows of nothing', () => {
  it.each([
    ['delimiters', ',,\n'.repeat(40)],
    ['delimiters and spaces', ' , ,\t\n,,\n'],
    ['quoted blanks', '"","",""\n" ",,"\n"\n'],
    ['characters that nobody sees', '\u00a0,\u200b,\ufeff\n\u3000,"\u2060",\n'],
    ['the end of a text of DOS', '\u001a'],
    ['padding', '\0'.repeat(9_000)],
    ['a byte order mark', '\ufeff\n'],
    ['more delimiters than columns', ',,,,,,,\n'],
  ])('are not counted: %s', async (_, rows) => {
    const { counts, people } = await outcome(
      `Email,First Name,City\nanke@example.org,Anke,Kiel\n${rows === '\u001a' ? '' : rows}bert@example.org,Bert,Jena\n${rows}`,
    );
    expect({ counts, people }).toEqual({ counts: complete(2), people: [anke, bert] });
  });

  it('stand before the header too', async () => {
    const { counts, people } = await outcome(
      ';;\r\n\r\n ;;\r\nEmail;First Name;City\r\nanke@example.org;Anke;Kiel\r\n',
    );
    expect({ counts, people }).toEqual({ counts: complete(1), people: [anke] });
  });

  it('do not hide a row of letters without any of ASCII', async () => {
    const { counts, stored } = await outcome(
      'Name,City\nÅØ,Łę\n,\nЯ,Ё\n',
      mappingOf([fieldMap('unique_id', 'Name'), fieldMap('city', 'City')]),
    );
    expect(counts).toEqual(complete(2));
    expect(stored.map(({ fields: { unique_id, city } }) => [unique_id, city])).toEqual([
      ['ÅØ', 'Łę'],
      ['Я', 'Ё'],
    ]);
  });

  it('keep the number and the line of the rows behind them', async () => {
    const { refused, counts } = await outcome('Email,City\n,\nanke@example.org,Kiel\n\n"",\nnobody,Hof\n');
    expect(refused).toEqual([[2, 6, 'not_an_email']]);
    expect(counts).toMatchObject({ ingested: 2, completed: 1 });
  });
});

describe('byte order marks', () => {
  it.each([
    ['two at the start', '\ufeff\ufeff"Email","First Name","City"\n"anke@example.org","Anke","Kiel"\n'],
    ['four at the start', '\ufeff\ufeff\ufeff\ufeffEmail;First Name;City\nanke@example.org;Anke;Kiel\n'],
    ['after blank lines', '\n\ufeff\nEmail,First Name,City\n\ufeffanke@example.org,Anke,Kiel\n'],
    ['in UTF-16', utf16('\ufeffEmail,First Name,City\n\ufeff"anke@example.org",Anke,Kiel\n')],
  ])('are no part of a cell: %s', async (_, file) => {
    const { counts, people } = await outcome(file);
    expect({ counts, people }).toEqual({ counts: complete(1), people: [anke] });
  });

  it('stand in front of each file of a joined file', async () => {
    const { people, refused } = await outcome(
      '\ufeffEmail,First Name,City\nanke@example.org,Anke,Kiel\n\ufeffEmail,First Name,City\n"bert@example.org",Bert,Jena\n',
    );
    expect({ people, refused }).toEqual({ people: [anke, bert], refused: [[2, 3, 'repeated_header']] });
  });

  it('do not hide the quotes of a cell behind them', async () => {
    const { people } = await outcome(
      'Email,First Name,City\nanke@example.org,Anke,Kiel\n\ufeff"bert@example.org","Bert","Jena,\nEast"\n',
    );
    expect(people).toEqual([anke, ['bert@example.org', 'Bert', 'Jena,\nEast']]);
  });
});

describe('white space around quotes', () => {
  it.each([
    ['before', 'Email, First Name, City\nanke@example.org, "Anke ""A"" Lund", "Oslo, Norway"\n'],
    [
      'before and after',
      '"Email" ; "First Name" ;"City"\n"anke@example.org" ; "Anke ""A"" Lund" ;"Oslo, Norway"\n',
    ],
    ['tabs', 'Email|First Name|City\nanke@example.org|\t"Anke ""A"" Lund"|\t"Oslo, Norway"\t\n'],
  ])('is left out by the suggestion, and said: %s', async (_, file) => {
    const { counts, people, doubts, inspected } = await outcome(file);
    expect(people).toEqual([['anke@example.org', 'Anke "A" Lund', 'Oslo, Norway']]);
    expect(counts).toEqual(complete(1));
    expect(inspected.suggestion.definition).toMatchObject({ trim: true });
    expect(doubts).toMatchObject([
      { column: null, cells: 1, saw: 'White space stands around the quotes of cells.' },
    ]);
  });

  it('does not end the cell at a line break', async () => {
    const { counts, people } = await outcome(
      'Email, First Name, City\nanke@example.org, "Anke", "Kiel,\nNorth"\nbert@example.org, Bert , Jena\n',
    );
    expect(counts).toEqual(complete(2));
    expect(people).toEqual([['anke@example.org', 'Anke', 'Kiel,\nNorth'], bert]);
  });

  it('refuses the rows for one reason with its remedy when a definition does not leave it out', async () => {
    const { job, refused, errors } = await outcome(
      'Email,First Name,City\nanke@example.org, "Anke",Kiel\nbert@example.org,"Bert" ,Jena\n',
      { trim: false },
    );
    expect(refused).toEqual([
      [1, 2, 'space_around_quote'],
      [2, 3, 'space_around_quote'],
    ]);
    expect(job?.refused_by).toMatchObject([{ code: 'space_around_quote', count: 2 }]);
    expect(errors[0]?.message).toContain('Set `trim`');
  });

  it('is not suggested for a file that reads without it', async () => {
    const { inspected, people } = await outcome('Email,First Name,City\nanke@example.org, Anke ,Kiel\n');
    expect(inspected.suggestion.definition).toMatchObject({ trim: false });
    expect(people).toEqual([anke]);
  });
});

describe('the header again', () => {
  it.each([
    ['as it is', 'Customer ID,First Name,City'],
    ['in quotes', '"Customer ID","First Name","City"'],
    ['in another case, with spaces', ' customer id,FIRST NAME , City'],
    ['with blank cells behind it', 'Customer ID,First Name,City,,'],
    ['cut', 'Customer ID,First Name'],
  ])('is no person: %s', async (_, header) => {
    const { stored, refused, doubts } = await outcome(
      `Customer ID,First Name,City\nM-7,Elio,Bari\n${header}\nM-8,Noor,Delft\n`,
    );
    expect(stored.map(({ fields }) => fields.unique_id)).toEqual(['M-7', 'M-8']);
    expect(refused).toEqual([[2, 3, 'repeated_header']]);
    expect(doubts).toMatchObject([
      { column: null, cells: 1, does: 'Refuses these rows, because they are no people.' },
    ]);
  });

  it('is said to have another order', async () => {
    const { errors } = await outcome(
      'Customer ID,First Name,City\nM-7,Elio,Bari\nFirst Name,Customer ID,City\n',
    );
    expect(errors).toMatchObject([{ code: 'repeated_header', row: 2 }]);
    expect(errors[0]?.message).toContain('in another order');
  });

  it('is a person with one word of the header as a value', async () => {
    const { stored, refused } = await outcome('Customer ID,First Name,City\nM-7,City,\nM-8,Noor,City\n');
    expect(stored.map(({ fields }) => [fields.unique_id, fields.first_name, fields.city])).toEqual([
      ['M-7', 'City', null],
      ['M-8', 'Noor', 'City'],
    ]);
    expect(refused).toEqual([]);
  });

  it('of one column is no person either', async () => {
    const { stored, refused } = await outcome('Customer ID\nM-7\nCustomer ID\n');
    expect(stored.map(({ fields }) => fields.unique_id)).toEqual(['M-7']);
    expect(refused).toEqual([[2, 3, 'repeated_header']]);
  });
});
