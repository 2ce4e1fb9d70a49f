import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ranFile } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

/** Imports a file by a definition of these columns. */
const run = async (file: Buffer | string, names: readonly string[], more: object = {}) => {
  const targets = ['email', 'first_name', 'last_name', 'city'];
  const maps = names.map((name, index) => fieldMap(targets[index] ?? `extra_data.x${index}`, name));
  const { job, ...ran } = await ranFile(file, { ...definitionOf(maps), ...more });
  return { ...ran, failure: job.failure };
};

describe('a file that is no CSV', () => {
  const zip = (entry: string) => Buffer.concat([Buffer.from('PK\x03\x04\x14\x00'), Buffer.from(entry)]);

  it.each([
    [
      'XLSX',
      zip('[Content_Types].xml … xl/workbook.xml'),
      'an Excel workbook, not CSV. Save it as "CSV UTF-8"',
    ],
    ['XLS', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'an Excel workbook (XLS)'],
    ['DOCX', zip('[Content_Types].xml … word/'), 'an Excel workbook or another Office document'],
    ['ODS', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'an OpenDocument spreadsheet'],
    [
      'ZIP',
      zip('people.csv'),
      'a ZIP archive, not CSV. Of compressed files, the service reads gzip only. If it is a spreadsheet, save the sheet as CSV.',
    ],
    ['XLSX that begins with its properties', zip('docProps/app.xml'), 'an Excel workbook or another'],
    ['XLSX that begins with its relations', zip('_rels/.rels'), 'an Excel workbook or another'],
    ['PDF', Buffer.from('%PDF-1.7\n'), 'a PDF, not CSV.'],
    ['XLSX in gzip', gzipSync(zip('[Content_Types].xml … xl/workbook.xml')), 'an Excel workbook'],
    ['PGP', Buffer.from('-----BEGIN PGP MESSAGE-----\n\n'), 'an encrypted PGP message'],
  ])('%s is named, with what to send instead', async (_, file, message) => {
    const { failure } = await run(file, ['email']);
    expect(failure?.code).toBe('not_csv');
    expect(failure?.message).toContain(`This file is ${message}`);
  });
});

describe('a header without the columns of the definition', () => {
  it('names all missing columns at once, what it found, and the delimiter to set', async () => {
    const { failure, errors } = await run('E-Mail;Name;Alter\na@x.org;A;3\n', ['E-Mail', 'Name', 'Alter']);
    expect(failure).toMatchObject({
      code: 'missing_column',
      line: 1,
      message:
        'Columns missing in the header: "E-Mail", "Name", "Alter". The header has 1 column: "E-Mail;Name;Alter".' +
        ' It looks delimited by semicolons: set `delimiter` to semicolon or auto.',
    });
    expect(errors).toMatchObject([{ code: 'missing_column', field: 'E-Mail' }]);
  });

  it('names a column that is almost the same', async () => {
    const { failure } = await run('E-mail;Town\na@x.org;A\n', ['E-Mail', 'City'], { delimiter: 'auto' });
    expect(failure?.message).toBe(
      'Columns missing in the header: "E-Mail" (the header has "E-mail"), "City".' +
        ' The header has 2 columns, delimited by semicolons: "E-mail;Town".',
    );
  });

  it('names the encoding under which the columns are there', async () => {
    const { failure } = await run('E-Mail,Größe\na@x.org,3\n', ['E-Mail', 'Größe'], { encoding: 'latin1' });
    expect(failure?.message).toContain('It looks like utf-8: set `encoding` to utf-8 or auto.');
    expect(failure?.message).not.toContain('delimiter');
  });

  it('shows no row of a file without a header', async () => {
    const { failure } = await run('ann@x.org,Ann\nbob@x.org,Bob\n', ['E-Mail', 'Name']);
    expect(failure?.message).toContain('The first line looks like a row of data.');
    expect(failure?.message).not.toContain('ann');
  });

  it('lists a bounded number of names and characters', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `column ${index} ${'x'.repeat(40)}`);
    const { failure } = await run(`${'y'.repeat(5_000)}\na\n`, names);
    expect(failure?.message).toContain(' and 40 more.');
    expect(failure?.message).toContain(`${'y'.repeat(100)}…`);
    expect(failure?.message.length).toBeLessThan(1_500);
  });

  it('names all repeated columns at once', async () => {
    const { failure } = await run('a,b,c,a,b\n1,2,3,4,5\n', ['a', 'b', 'c']);
    expect(failure).toMatchObject({
      code: 'duplicate_column',
      message:
        'Columns more than once in the header: "a", "b". Give each column a name of its own, or state the `occurrence` of its source.',
    });
  });

  it('that is not text in the encoding shows the byte and the encoding to set', async () => {
    const { failure } = await run(Buffer.from('E-Mail,Gr\xf6\xdfe\na@x.org,3\n', 'latin1'), ['E-Mail']);
    expect(failure).toMatchObject({ code: 'wrong_encoding', line: 1 });
    expect(failure?.message).toContain(
      'Byte 0xF6 is not UTF-8. In Windows-1252 it is "ö": set `encoding` to windows-1252 or auto.',
    );
  });
});

describe('a row that is not text in the encoding', () => {
  it.each([
    ['in a plain cell', 'a@x.org,Zo\xeb,x', 'first_name', '0xEB', '"ë"'],
    ['in a quoted cell', 'a@x.org,"Z,""",\xfc', 'last_name', '0xFC', '"ü"'],
    ['after UTF-8', 'a@x.org,Zo\xc3\xab,\xe4\xf6', 'last_name', '0xE4', '"ä"'],
  ])('%s shows byte, column and character', async (_, row, column, byte, character) => {
    const names = ['email', 'first_name', 'last_name'];
    const { errors, people } = await run(Buffer.from(`${names.join(',')}\n${row}\n`, 'latin1'), names);
    expect(errors).toMatchObject([{ row: 1, line: 2, code: 'wrong_encoding', column }]);
    expect(errors[0]?.message).toBe(
      `${column}: Byte ${byte} is not UTF-8. In Windows-1252 it is ${character}: set \`encoding\` to windows-1252 or auto.`,
    );
    expect(people).toEqual([]);
  });

  it('has no encoding to set when the row is no text in Windows-1252 either', async () => {
    const { errors } = await run(Buffer.from('email\na@x.org\x81\n', 'latin1'), ['email']);
    expect(errors[0]?.message).toBe('email: Byte 0x81 is not UTF-8.');
  });

  it('names the column of half a character of UTF-16', async () => {
    const file = Buffer.from('email,first_name\na@x.org,\ud800\n', 'utf16le');
    const { errors } = await run(file, ['email', 'first_name'], { encoding: 'utf-16le' });
    expect(errors).toMatchObject([{ code: 'wrong_encoding', column: 'first_name' }]);
    expect(errors[0]?.message).toBe(
      'first_name: It has half a character of UTF-16. The file was cut or damaged.',
    );
  });
});
