import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ranFile } from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const run = (file: Buffer | string, more: object = {}, name?: string) =>
  ranFile(file, definitionOf(['email', 'first_name'], { required_fields: ['email'], ...more }), name);

const complete = (ingested: number) => ({
  status: 'complete',
  ingested,
  serialized: ingested,
  completed: ingested,
  unserializable: 0,
  failed: 0,
  processing: 0,
});

describe('files that are whole', () => {
  it.each([
    ['CRLF', 'email,first_name\r\na@x.org,Ann\r\nb@x.org,"Bo ""B"", Jr"\r\n'],
    ['LF and no last line break', 'email,first_name\na@x.org,Ann\nb@x.org,"Bo ""B"", Jr"'],
    ['mixed and blank lines', 'email,first_name\r\n\r\na@x.org,Ann\n\nb@x.org,"Bo ""B"", Jr"\r\n\r\n'],
    ['CR alone', 'email,first_name\ra@x.org,Ann\rb@x.org,"Bo ""B"", Jr"\r'],
    ['a byte order mark', '\ufeffemail,first_name\na@x.org,Ann\nb@x.org,"Bo ""B"", Jr"\n'],
    [
      'other columns, other order',
      'x,first_name,email,__parsed_extra\n1,Ann,a@x.org,\n,"Bo ""B"", Jr",b@x.org,2',
    ],
    ['a quoted header', '"email","first_name"\r\na@x.org,Ann\r\nb@x.org,"Bo ""B"", Jr"'],
    ['spaces around the header', ' email ,first_name \na@x.org,Ann\nb@x.org,"Bo ""B"", Jr"'],
  ])('with %s', async (_, file) => {
    const { job, errors, people } = await run(file);
    expect(job.counts).toEqual(complete(2));
    expect(errors).toEqual([]);
    expect(people).toEqual([
      ['a@x.org', 'Ann'],
      ['b@x.org', 'Bo "B", Jr'],
    ]);
  });

  it.each([
    ['tab', '\t'],
    ['pipe', '|'],
  ])('delimited by %s', async (delimiter, char) => {
    const { people } = await run(`email${char}first_name\na@x.org${char}"A${char}B, C"\n`, { delimiter });
    expect(people).toEqual([['a@x.org', `A${char}B, C`]]);
  });

  it('in Latin-1, read as Windows-1252', async () => {
    const file = Buffer.from('email,first_name\na@x.org,Zo\xeb \x80\n', 'latin1');
    expect((await run(file, { encoding: 'latin1' })).people).toEqual([['a@x.org', 'Zoë €']]);
  });

  it.each(['', '\ufeff'])('in UTF-16, mark %j', async (mark) => {
    const file = Buffer.from(`${mark}email,first_name\r\na@x.org,"Zoë ""𝄞"",\n"\r\n`, 'utf16le');
    expect((await run(file, { encoding: 'utf-16le' })).people).toEqual([['a@x.org', 'Zoë "𝄞",\n']]);
  });

  it('with formulas and comment signs, verbatim', async () => {
    const { people } = await run('email,first_name\n#a@x.org,"=1+1"\nb@x.org,@x\n');
    expect(people).toEqual([
      ['#a@x.org', '=1+1'],
      ['b@x.org', '@x'],
    ]);
  });

  it('compressed', async () => {
    const { job, people } = await run(gzipSync('email,first_name\na@x.org,Ann\n'), {}, 'a.csv.gz');
    expect(job.counts).toEqual(complete(1));
    expect(people).toEqual([['a@x.org', 'Ann']]);
  });

  it('with the header only', async () => {
    const { job } = await run('email,first_name');
    expect(job.counts).toEqual(complete(0));
    expect(job.finished).not.toBeNull();
  });

  it('of one person many times: one profile, every row counted, the last row wins', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `a@x.org,N${index}`);
    const { job, people } = await run(`email,first_name\n${rows.join('\n')}`);
    expect(job.counts).toEqual(complete(1_200));
    expect(people).toEqual([['a@x.org', 'N1199']]);
  });

  it('in test mode: everything checked, nothing stored', async () => {
    const { job, people, errors } = await run('email,first_name\na@x.org,A\nbad,B\n', { test_mode: true });
    expect(job.counts).toMatchObject({ status: 'complete-with-errors', completed: 1, unserializable: 1 });
    expect(errors).toHaveLength(1);
    expect(people).toEqual([]);
  });
});

describe('files that cannot be read', () => {
  it.each([
    ['an empty file', '', 'no_header', null],
    ['blank lines only', '\r\n\n', 'no_header', null],
    ['a missing column', 'email,name\na@x.org,A\n', 'missing_column', 'first_name'],
    ['a column twice', 'email,first_name,first_name\na@x.org,A,B\n', 'duplicate_column', 'first_name'],
    ['a broken header', 'email,"first_name"x\na@x.org,A\n', 'bad_header', null],
    ['the wrong delimiter', 'email;first_name\na@x.org;A\n', 'missing_column', 'email'],
    ['UTF-16 instead of UTF-8', Buffer.from('\ufeffemail,first_name\n', 'utf16le'), 'wrong_encoding', null],
    [
      'a header over the limit',
      `email,first_name,${'x'.repeat(120_000)}\na@x.org,A,\n`,
      'header_too_large',
      null,
    ],
    ['too many columns', `email,first_name${','.repeat(2_000)}\na@x.org,A\n`, 'too_many_columns', null],
    ['a cut gzip file', gzipSync('email,first_name\na@x.org,Ann\n').subarray(0, 30), 'broken_gzip', null],
    ['a gzip bomb', gzipSync(Buffer.alloc(3_000_000, 'a')), 'expands_too_far', null],
  ])('%s fails the job and says why', async (_, file, code, field) => {
    const { job, errors, people } = await run(file);
    expect(job.counts).toEqual({ ...complete(0), status: 'failed' });
    expect(job.failure?.code).toBe(code);
    expect(errors).toMatchObject([{ code, field, row: null, file: 'visitors.csv' }]);
    if (field !== null) expect(errors[0]?.message).toContain(field);
    expect(people).toEqual([]);
  });

  it('an open quote fails the job at its place; the rows before it land', async () => {
    const { job, errors, people } = await run(
      'email,first_name\na@x.org,A\n"b@x.org",\n"c@x.org,C\nd@x.org,D\n',
    );
    expect(job).toMatchObject({
      counts: { status: 'failed', completed: 2 },
      failure: { code: 'open_quote', line: 4 },
    });
    expect(errors).toMatchObject([{ code: 'open_quote', row: 3, line: 4 }]);
    expect(people.map(([email]) => email)).toEqual(['a@x.org', 'b@x.org']);
  });
});

describe('rows that are refused', () => {
  it.each([
    ['a stray quote', 'b@x.org,B"o', 'stray_quote', null],
    ['text after a quote', '"b@x.org"x,Bo', 'text_after_quote', null],
    ['too many cells', 'b@x.org,Bo,,x', 'too_many_cells', null],
    ['too few cells', 'Bo', 'not_an_email', 'email'],
    ['a required field left empty', ',Bo', 'required', 'email'],
    ['a name and an address', 'Bo <b@x.org>,Bo', 'not_an_email', 'email'],
    ['a control character', 'b@x.org,B\u0000', 'bad_characters', 'first_name'],
    ['a cell too long', `b@x.org,${'x'.repeat(1_025)}`, 'too_long', 'first_name'],
    ['a row over two megabytes', `b@x.org,"${'x\n'.repeat(1_100_000)}"`, 'row_too_large', null],
  ])('%s, with place, reason and text; the others land', async (_, row, code, field) => {
    const { job, errors, people } = await run(`email,first_name\r\na@x.org,A\r\n${row}\r\nc@x.org,C\r\n`);
    expect(job.counts).toMatchObject({
      status: 'complete-with-errors',
      ingested: 3,
      completed: 2,
      unserializable: 1,
    });
    expect(errors).toMatchObject([{ row: 2, line: 3, code, field, file: 'visitors.csv' }]);
    expect(errors[0]?.record?.slice(0, 1_000)).toBe(row.slice(0, 1_000));
    expect(people.map(([email]) => email)).toEqual(['a@x.org', 'c@x.org']);
  });

  it('bytes of another encoding, never replaced by anything', async () => {
    const file = Buffer.from('email,first_name\na@x.org,A\nb@x.org,Zo\xeb\nc@x.org,C\n', 'latin1');
    const { errors, people } = await run(file);
    expect(errors).toMatchObject([{ row: 2, line: 3, code: 'wrong_encoding', record: 'b@x.org,Zo\ufffd' }]);
    expect(people.map(([email]) => email)).toEqual(['a@x.org', 'c@x.org']);
  });

  it('half a character of UTF-16', async () => {
    const whole = Buffer.from('email,first_name\na@x.org,A\nb@x.org,B', 'utf16le');
    const { errors } = await run(Buffer.concat([whole, Buffer.from('C')]), { encoding: 'utf-16le' });
    expect(errors).toMatchObject([{ row: 2, code: 'wrong_encoding' }]);
  });
});
