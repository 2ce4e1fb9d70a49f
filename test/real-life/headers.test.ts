import { describe, expect, it } from 'vitest';
import { withDefinition } from '../imports/import-harness.ts';
import { inspectFile, tryFile } from './try-file.ts';
import { definitionOf } from '../support/field-map.ts';

const outcome = async (file: Buffer | string) => {
  const tried = await tryFile(file);
  return {
    ...tried,
    header_line: tried.inspected.suggestion.definition?.header_line,
    people: tried.stored.map(({ fields: { email, first_name, city } }) => [email, first_name, city]),
  };
};

const anke = ['anke@example.org', 'Anke', 'Kiel'];
const rows = 'anke@example.org;Anke;Kiel\n';

describe('a line that states the delimiter', () => {
  it.each([
    ['as a program writes it', `sep=;\r\nEmail;First Name;City\r\n${rows}`],
    ['in quotes, after a byte order mark', `\ufeff"sep=;"\nEmail;First Name;City\n${rows}`],
    ['with delimiters behind it', `sep=;;;\nEmail;First Name;City\n${rows}`],
    ['of a tab', 'SEP=\t\nEmail\tFirst Name\tCity\nanke@example.org\tAnke\tKiel\n'],
    ['of a delimiter that the file does not have', `sep=^\nEmail;First Name;City\n${rows}`],
    ['in UTF-16', Buffer.from(`\ufeffsep=;\r\nEmail;First Name;City\r\n${rows}`, 'utf16le')],
  ])('is no header: %s', async (_, file) => {
    const { people, job, header_line, doubts } = await outcome(file);
    expect({ people, status: job?.counts.status, header_line, doubts }).toEqual({
      people: [anke],
      status: 'complete',
      header_line: null,
      doubts: [],
    });
  });

  it('decides between delimiters that read the names equally well', async () => {
    const { inspected } = await outcome('sep=|\nWert;x|Zahl;y\nanke;1|2;3\n');
    expect(inspected.dialect).toMatchObject({ delimiter: 'pipe' });
  });
});

describe('lines before the header', () => {
  it.each([
    [
      'titles and delimiters',
      `Visitors of the season;;\nAs of 01.09.2026;;\n;;\nEmail;First Name;City\n${rows}`,
      4,
    ],
    ['a title alone on its line', `Report: ticket buyers, summer, 2025\n\nEmail;First Name;City\n${rows}`, 3],
    [
      'keys and values',
      `Report;Buyers\nMade by;Box office\nDate;01.09.2026\nEmail;First Name;City\n${rows}`,
      4,
    ],
    ['a group of columns', `Person;;Place\nEmail;First Name;City\n${rows}`, 2],
    ['a title in quotes over two lines', `"Visitors\nof 2025";;\nEmail;First Name;City\n${rows}`, 3],
    ['a title in UTF-16', Buffer.from(`\ufeffVisitors\r\nEmail;First Name;City\r\n${rows}`, 'utf16le'), 2],
    ['a title in a file of CR', `Visitors\rEmail;First Name;City\r${rows.replace('\n', '\r')}`, 2],
  ])('are left out, and said: %s', async (_, file, line) => {
    const { people, header_line, doubts } = await outcome(file);
    expect({ people, header_line }).toEqual({ people: [anke], header_line: line });
    expect(doubts[0]?.saw).toBe(`Line ${line} looks like the header, and lines stand before it.`);
    expect(doubts[0]?.examples.length).toBeGreaterThan(0);
  });

  it('end with … where a long one is cut, and no character is cut in two', async () => {
    const title = (text: string) => `${text}\n\nEmail;First Name;City\n${rows}`;
    const long = await outcome(
      title('Visitors of the season, box office and telephone sales together, Hamburg'),
    );
    expect(long.doubts[0]?.examples).toEqual([
      'Visitors of the season, box office and telephone sales toget…',
    ]);
    const pair = await outcome(title(`${'x'.repeat(59)}😀 and more`));
    expect(pair.doubts[0]?.examples).toEqual([`${'x'.repeat(59)}…`]);
    const whole = await outcome(title('x'.repeat(60)));
    expect(whole.doubts[0]?.examples).toEqual(['x'.repeat(60)]);
  });

  it('of unknown columns end with … too', async () => {
    const header = 'Azonosító szám;Keresztnév és vezetéknév együtt;Település vagy kerület';
    const { inspected } = await tryFile(`${header}\nA-1;Jana;Brno\nA-2;Petr;Zlín\n`);
    expect(inspected.suggestion.doubts[0]?.examples).toEqual([`${header.slice(0, 60)}…`]);
  });

  it('are found without a known name, by their width', async () => {
    const { inspected } = await tryFile(
      'Seznam\n\nAtpazinimas;Vardas;Miestas\nA-1;Jana;Brno\nA-2;Petr;Zlín\n',
    );
    expect(inspected.header).toEqual(['Atpazinimas', 'Vardas', 'Miestas']);
    expect(inspected.suggestion.definition).toMatchObject({ header_line: 3 });
    expect(inspected.suggestion.doubts.map(({ saw }) => saw)).toEqual([
      'Line 3 looks like the header, and lines stand before it.',
      'No name in line 3 is known: it may be a row of data.',
    ]);
  });

  it('are none where people follow a short header', async () => {
    const { people, header_line, doubts } = await outcome('Email,,\nanke@example.org,Anke,Kiel\n');
    expect({ emails: people.map(([email]) => email), header_line, doubts }).toEqual({
      emails: ['anke@example.org'],
      header_line: null,
      doubts: [],
    });
  });
});

describe('the line of the header in a definition', () => {
  const definition = definitionOf(['email', 'first_name'], { delimiter: 'auto' });
  const run = async (file: string, change: object) => {
    const { harness, id } = await withDefinition({ ...definition, ...change });
    return harness.runFile(id, file);
  };

  it('is said when the columns are in a later line', async () => {
    const job = await run('Report;2026\n\n;\nemail;first_name\nann@example.org;Ann\n', {});
    expect(job.failure).toMatchObject({ code: 'missing_column', line: 1 });
    expect(job.failure?.message).toContain('Line 4 looks like the header: set `header_line` to 4.');
  });

  it('is said when it is another one than the definition says', async () => {
    const job = await run('email;first_name\nann@example.org;Ann\n', { header_line: 2 });
    expect(job.failure?.message).toContain('Line 1 looks like the header: set `header_line` to 1.');
  });

  it('counts lines as an editor does, and rows from the line below', async () => {
    const job = await run('"Report\nof 2026"\nemail;first_name\nnobody;Ann\n', { header_line: 3 });
    expect(job.refused_by).toMatchObject([{ code: 'not_an_email', example_line: 4 }]);
  });

  it('is a line of the file', async () => {
    const job = await run('email;first_name\n', { header_line: 9 });
    expect(job.failure).toMatchObject({
      code: 'no_header',
      message: 'The file has no row from line 9 on, its `header_line`.',
      line: 9,
    });
  });

  it('overrides a line that could be the header too', async () => {
    const job = await run('x;y\nemail;first_name\nann@example.org;Ann\n', { header_line: 2 });
    expect(job.counts).toMatchObject({ completed: 1, ingested: 1 });
  });

  it('names the remedy for white space around its quotes', async () => {
    const job = await run('email; "first_name"\nann@example.org; "Ann"\n', {});
    expect(job.failure).toMatchObject({ code: 'bad_header' });
    expect(job.failure?.message).toContain('Set `trim` to true');
  });
});

describe('a file without a header', () => {
  it.each([
    ['addresses', 'anke@example.org,Anke,Kiel\nbert@example.org,Bert,Jena\n'],
    ['numbers and dates', '100234;Anke;24.02.1949\n100235;Bert;01.12.1950\n'],
    ['telephone numbers', 'Anke;+49 431 90123\nBert;+49 3641 9012\n'],
  ])('is refused, so that no person becomes the header: %s', async (_, file) => {
    const { inspected, job } = await tryFile(file);
    expect(inspected.failure).toMatchObject({ code: 'no_header', line: 1 });
    expect(inspected.failure?.message).toContain('The first line looks like a row of data.');
    expect(job).toBeUndefined();
  });

  it('is no file whose names say whose address each part is', async () => {
    const { doubts, people } = await outcome(
      'Billing First Name,Billing Email,Billing City\nAnke,anke@example.org,Kiel\n',
    );
    expect({ doubts, people }).toEqual({ doubts: [], people: [anke] });
  });

  it('of words is said', async () => {
    const { suggestion } = await inspectFile('Anke;Kiel\nBert;Jena\n');
    expect(suggestion.doubts).toMatchObject([
      { saw: 'No name in line 1 is known: it may be a row of data.', examples: ['Anke;Kiel'] },
    ]);
  });
});

describe('a line below the header that is no person', () => {
  it('has no e-mail address: brackets in another cell are a value', async () => {
    const { suggestion } = await inspectFile('Email,Tags\na@example.org,[VIP]\nb@example.org,Jazz\n');
    expect(suggestion.doubts.filter(({ column }) => column === null)).toEqual([]);
  });

  it.each([
    ['units', 'Customer ID,Height,Weight\n(text),(cm),(kg)\nA-1,170,60\n'],
    ['types', 'Customer ID,First Name,Birthday\nvarchar(20),text,date\nA-1,Anke,1980-01-02\n'],
    ['rules', 'Customer ID|First Name\n-----------|----------\nA-1|Anke\n'],
  ])('is said: %s', async (_, file) => {
    const { suggestion } = await inspectFile(file);
    expect(suggestion.doubts.filter(({ column }) => column === null)).toMatchObject([
      { saw: 'The line below the header looks like units, types or rules, and not like a person.', cells: 1 },
    ]);
  });
});

describe('characters that nobody sees in the header', () => {
  it('are no part of a name', async () => {
    const { people } = await outcome('Email\u200b;\u200eFirst Name;City\u00a0\nanke@example.org;Anke;Kiel\n');
    expect(people).toEqual([anke]);
  });
});
