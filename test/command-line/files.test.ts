import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvPieces, csvRows } from '../../client/src/csv-rows.ts';
import { decodeAs, decodeUnicode } from '../../client/cli/files/encoding.ts';
import { batchesIn } from '../../client/cli/imports/batches.ts';
import { rejectNames, writeNew } from '../../client/cli/files/names.ts';
import { readFilled, requireNew } from '../../client/cli/files/user-files.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

describe('a CSV text', () => {
  it('is split into rows, and not inside quotes', () => {
    expect(csvRows('a;b\r\n"x\ny";"say ""hi"""\r\n\n1;2\r3;4')).toEqual([
      'a;b\r\n',
      '"x\ny";"say ""hi"""\r\n',
      '1;2\r',
      '3;4',
    ]);
  });

  it('is sent in pieces that begin with the header', () => {
    expect(csvPieces('h\n1\n2\n3', { rows: 2, bytes: 1_000 })).toEqual(['h\n1\n2\n', 'h\n3']);
    expect(csvPieces('h\n1\n2\n3', { rows: 9, bytes: 6 })).toEqual(['h\n1\n2\n', 'h\n3']);
    expect(csvPieces('h\nä\nb', { rows: 9, bytes: 5 })).toEqual(['h\nä\n', 'h\nb']);
    expect(csvPieces('h\n', { rows: 9, bytes: 5 })).toEqual([]);
  });

  it('leaves out a line that states the delimiter, so that each piece begins with the header', () => {
    for (const stated of ['sep=,\n', '\ufeff"sep=;"\r\n', 'SEP=;;;;\n'])
      expect(csvPieces(`${stated}h\n1\n2\n`, { rows: 1, bytes: 1_000 })).toEqual(['h\n1\n', 'h\n2\n']);
    expect(batchesIn('sep=;\nemail;batch_job_uuid\nx;b-1\n')).toEqual(['b-1']);
  });

  it('has each of its rows in exactly one piece', () => {
    const cell = fc.stringMatching(/^[a-z ]{1,5}$/).filter((text) => text.trim() !== '');
    const row = fc
      .oneof(
        cell,
        cell.map((text) => `"${text}\n""${text}"`),
      )
      .map((text) => `${text}\n`);
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (rows, most, bytes) => {
          const pieces = csvPieces(`head\n${rows.join('')}`, { rows: most, bytes });
          expect(pieces.flatMap((piece) => csvRows(piece).slice(1))).toEqual(rows);
          expect(pieces.every((piece) => piece.startsWith('head\n'))).toBe(true);
        },
      ),
    );
  });
});

describe('a list of refused rows that a spreadsheet saved', () => {
  it.each([',', ';', '\t', '|'])('names its batches, with %j between the cells', (delimiter) => {
    const row = (...cells: readonly string[]): string =>
      `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\r\n`;
    const list =
      row('note', 'batch_job_uuid', 'E-Mail', 'batch_job_uuid', 'row') +
      row(`"a"${delimiter}\r\n"`, 'own', 'x', 'b-1', '1') +
      row('', 'own', 'x', 'b-2', '7').replaceAll('"', '') +
      row('', 'own', 'x', 'b-1', '2');
    expect(batchesIn(list)).toEqual(['b-1', 'b-2']);
  });

  it('has none without the column', () => {
    expect(batchesIn('email\na@example.org\n')).toEqual([]);
  });
});

describe('a file that a spreadsheet saved', () => {
  it.each([
    ['utf-8', Buffer.from('\ufeffKäthe')],
    ['utf-8', Buffer.from('Käthe')],
    ['utf-16le', Buffer.from('\ufeffKäthe', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffKäthe', 'utf16le').swap16()],
  ])('is read in %s', (encoding, content) => {
    expect(decodeUnicode(content)).toEqual({ text: 'Käthe', encoding });
  });

  it('does not say its code page', () => {
    expect(decodeUnicode(Buffer.from('Käthe', 'latin1'))).toBeUndefined();
  });

  it('is read in an encoding by its name', () => {
    const polish = Buffer.from([0xa3, 0xf3, 0x64, 0x9f]);
    expect(decodeAs(polish, 'Windows-1250')).toEqual({ text: 'Łódź', encoding: 'windows-1250' });
    expect(decodeAs(polish, 'windows-9')).toBeUndefined();
    expect(decodeAs(polish, 'utf-8')).toBeUndefined();
  });
});

describe('the list of refused rows', () => {
  const firstNames = (file: string): readonly string[] => [...rejectNames(file).take(2)];

  it.each([
    ['/tmp/visitors.csv', ['/tmp/visitors.rejects.csv', '/tmp/visitors.rejects.2.csv']],
    ['visitors.csv.gz', ['visitors.rejects.csv', 'visitors.rejects.2.csv']],
    ['a/visitors.rejects.csv', ['a/visitors.rejects.csv', 'a/visitors.rejects.2.csv']],
    ['a/visitors.rejects.7.csv', ['a/visitors.rejects.csv', 'a/visitors.rejects.2.csv']],
  ])('of %s stands beside it', (file, names) => {
    expect(firstNames(file)).toEqual(names);
  });

  it('never replaces a file', async () => {
    const folder = newFolder();
    const file = join(folder, 'visitors.csv');
    await writeFile(join(folder, 'visitors.rejects.csv'), 'corrected');
    expect(await writeNew(rejectNames(file), Buffer.from('new'))).toBe(
      join(folder, 'visitors.rejects.2.csv'),
    );
    expect(await readFile(join(folder, 'visitors.rejects.csv'), 'utf8')).toBe('corrected');
    expect((await readdir(folder)).toSorted()).toEqual(['visitors.rejects.2.csv', 'visitors.rejects.csv']);
  });
});

describe('a file that the user names', () => {
  const withFiles = async (): Promise<string> => {
    const folder = newFolder();
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'key'), 'a key');
    return folder;
  };

  it('to be read is a file with content', async () => {
    const folder = await withFiles();
    expect(Buffer.from(await readFilled(join(folder, 'key'))).toString()).toBe('a key');
    await expect(readFilled(folder)).rejects.toMatchObject({
      message: `${folder} is a folder, not a file.`,
      exitCode: 2,
    });
    await expect(readFilled(join(folder, 'empty'))).rejects.toMatchObject({
      message: `The file ${join(folder, 'empty')} is empty.`,
      exitCode: 2,
    });
  });

  it('to be written is new, in a folder that exists', async () => {
    const folder = await withFiles();
    await expect(requireNew(join(folder, 'jazz.csv'))).resolves.toBeUndefined();
    for (const taken of [folder, join(folder, 'key')])
      await expect(requireNew(taken)).rejects.toMatchObject({
        message: `The file ${taken} exists already; choose another name.`,
        exitCode: 2,
      });
    await expect(requireNew(join(folder, 'no', 'jazz.csv'))).rejects.toMatchObject({
      message: `There is no folder ${join(folder, 'no')}.`,
      exitCode: 2,
    });
  });
});
