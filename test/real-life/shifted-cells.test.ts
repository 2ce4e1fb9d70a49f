import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';

const lines = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('');

/** Rows of numbered people: `#` is the number in a row. */
const people = (count: number, row: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => row.replaceAll('#', String(index + 1)));

const fileDoubts = async (file: string) => {
  const tried = await tryFile(file);
  return { ...tried, ofFile: tried.doubts.filter(({ column }) => column === null) };
};

describe('a header that does not fit its rows', () => {
  it.each([
    [
      'the first name is missing, and a blank cell ends the rows',
      'first_name,last_name,city,role,email,phone,notes',
      '#,Amelia,Ashworth,Hull,Donor,v#@example.org,01904 49600#,',
      '"email"',
      'right',
    ],
    [
      'a name in the middle is missing',
      'Vorname;Nachname;Ort;E-Mail;Geburtsdatum',
      'Anke;Lund;Kiel;Spender;a#@example.org;',
      '"E-Mail"',
      'right',
    ],
    ['no column has addresses', 'Member ID;Birthday;City', 'x;M-#;1980-01-0#;', '"Birthday"', 'right'],
    [
      'a name is missing, and the header ends with a delimiter as well',
      'Name,Zip,Email,',
      'P-#,Ann Lee,0210#,p#@example.org',
      '"Zip"',
      'right',
    ],
    [
      'a name too many',
      'Customer ID,First Name,City,Email,Phone',
      'Ann,Hull,a#@example.org,+44 20 7946 012#',
      '"Email"',
      'left',
    ],
    [
      'a name too many, and addresses at the end',
      'Customer ID,First Name,Email',
      'Ann,a#@example.org',
      '"Email"',
      'left',
    ],
  ])('gives nobody the values of other columns: %s', async (_, header, row, name, side) => {
    const { ofFile, inspected, stored } = await fileDoubts(lines(header, ...people(6, row)));
    expect(ofFile).toMatchObject([{ cells: 6 }]);
    expect(ofFile[0]?.does).toContain('Takes no column as an identity');
    expect(ofFile[0]?.saw).toContain(`the values of ${name} stand one cell further to the ${side}.`);
    expect(inspected.suggestion.has_identity).toBe(false);
    expect(inspected.suggestion.notes[0]).toContain('so no column is taken as an identity.');
    expect(stored).toEqual([]);
  });

  it('is told from a delimiter at the end of rows', async () => {
    const { ofFile, stored } = await fileDoubts(
      lines('first_name,city,email,phone', ...people(6, 'Amelia,Hull,v#@example.org,01904 49600#,')),
    );
    expect(ofFile).toEqual([]);
    expect(stored).toHaveLength(6);
  });

  it.each([
    ['an empty column beside one of its kind', 'email,phone,mobile', 'a#@example.org,,+44 20 7946 012#,'],
    ['a column of other values', 'email,phone,e-mail 2', 'a#@example.org,none,b#@example.org,'],
    ['words under a name', 'email,contact,phone', 'on request,a#@example.org,+44 20 7946 012#,'],
    ['a column of other dates', 'email,birthday,created', 'a#@example.org,unknown,2024-01-0#,'],
    ['a column of other numbers', 'email,phone,Customer No', 'a#@example.org,x#,10023#,'],
    ['a column without a name', 'email,city,', 'a#@example.org,Hull,x'],
  ])('is told from %s', async (_, header, row) => {
    const { inspected, ofFile } = await fileDoubts(lines(header, ...people(6, row)));
    expect(ofFile).toEqual([]);
    expect(inspected.suggestion.has_identity).toBe(true);
  });

  it('does as the request says of its columns', async () => {
    const file = lines(
      'name,city,email',
      ...people(6, '#,Amelia,Hull,v#@example.org').map((row) => `${row},`),
    );
    const { suggestion } = await inspectFile(file, undefined, { email: 'unique_id' });
    expect(suggestion.has_identity).toBe(true);
  });
});

describe('rows with fewer cells than the header', () => {
  const header = 'Customer ID,Email,Title,First Name,Last Name,City,Notes';

  it('are said, with what becomes of them', async () => {
    const { ofFile, stored } = await fileDoubts(
      lines(
        header,
        ...people(8, 'SC-#,sc#@example.org,Ms,Ann,Lee,Hull,sings'),
        'SC-9,sc9@example.org,Amelia,Ashworth,Dayton,knows knots',
        'SC-10,sc10@example.org,Ben,Dayton',
      ),
    );
    expect(ofFile).toMatchObject([
      {
        saw: 'Rows have fewer cells than the header.',
        cells: 2,
        examples: [
          'SC-9,sc9@example.org,Amelia,Ashworth,Dayton,knows knots',
          'SC-10,sc10@example.org,Ben,Dayton',
        ],
      },
    ]);
    expect(ofFile[0]?.does).toContain('Takes the missing cells as empty cells at the end of the row.');
    expect(stored).toHaveLength(10);
  });

  it.each([
    ['a postal code', 'Email,City,Zip,Country', 'a#@example.org,Hull,1234#,GB', 'b@example.org,12340,GB'],
    ['two cells', 'Email,First,Last,Born', 'a#@example.org,Ann,Lee,1980-01-0#', 'b@example.org,1980-01-09'],
    ['an address', 'Name;Phone;Email;City', 'Ann;030 12340#;a#@example.org;Hof', 'Ben;b@example.org;Hof'],
  ])('are said to stand too far to the left where a column tells: %s', async (_, names, row, short) => {
    const { ofFile } = await fileDoubts(lines(names, ...people(8, row), short));
    expect(ofFile).toMatchObject([{ cells: 1, examples: [short] }]);
    expect(ofFile[0]?.saw).toContain('cells of 1 of them stand too far to the left');
    expect(ofFile[0]?.does).not.toContain('quotes');
  });

  it('are told from rows whose cells stand too far to the right', async () => {
    const { ofFile } = await fileDoubts(
      lines(
        'Email,City,Zip,Country,Notes',
        ...people(8, 'a#@example.org,Hull,1234#,GB,'),
        'b@example.org,Hull, East,12340,GB',
        'c@example.org,12340,GB',
      ),
    );
    expect(ofFile.map(({ saw, examples }) => [saw.slice(0, 40), examples])).toEqual([
      ['Cells stand too far to the right, as beh', ['Zip:  East']],
      ['Rows have fewer cells than the header, a', ['c@example.org,12340,GB']],
    ]);
  });

  it.each([
    ['numbers', 'Email,City,Zip,Phone,Notes', '#@example.org,Hull,1234#'],
    ['numbers of members', 'Email,Member No,Phone', '#@example.org,1234#'],
    ['addresses', 'First Name,Email,Second Email,Notes', 'Ann,#@example.org'],
  ])('are well where no other row has a value in the columns that they lack: %s', async (_, names, row) => {
    const { ofFile, stored } = await fileDoubts(
      lines(names, ...people(4, `${row.replace('#@', 'a#@')},,`), ...people(4, row.replace('#@', 'b#@'))),
    );
    expect({ ofFile, stored: stored.length }).toEqual({ ofFile: [], stored: 8 });
  });

  it('are none where the header ends with a delimiter', async () => {
    const { ofFile } = await fileDoubts(lines('Email,City,,', ...people(3, 'a#@example.org,Hull')));
    expect(ofFile).toEqual([]);
  });

  it('are none where rows repeat a cut header or do not parse', async () => {
    const { ofFile } = await fileDoubts(
      lines(
        header,
        ...people(3, 'SC-#,sc#@example.org,Ms,Ann,Lee,Hull,sings'),
        'Customer ID,Email',
        'a "b",c',
      ),
    );
    expect(ofFile.map(({ saw }) => saw)).toEqual(['The names of the columns stand again between the rows.']);
  });
});
