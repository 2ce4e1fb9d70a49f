import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { withDefinition, ranFile } from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const definition = definitionOf(['email', 'first_name'], { required_fields: ['email'] });

const run = (file: Buffer | string, more: object) => ranFile(file, { ...definition, ...more });

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a delimiter that the header shows', () => {
  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('%s is found, and shown on the job', async (delimiter, char) => {
    const file = `first_name${char}"other, ; | ""x"""${char}email\n"A${char}B"${char}${char}a@x.org\n`;
    for (const named of [delimiter, 'auto']) {
      const { job, people } = await run(file, { delimiter: named });
      expect(job.dialect).toEqual({ encoding: 'utf-8', delimiter });
      expect(people).toEqual([['a@x.org', `A${char}B`]]);
    }
  });

  it('is the delimiter that yields the columns of the definition, however common another character is', async () => {
    const { job, people } = await run('email;a,b,c,d;first_name\na@x.org;1,2;Ann\n', { delimiter: 'auto' });
    expect(job.dialect?.delimiter).toBe('semicolon');
    expect(people).toEqual([['a@x.org', 'Ann']]);
  });

  it('is the comma for a header of one column', async () => {
    const mapping_fields = {
      required_fields: [],
      field_maps: definition.mapping_fields.field_maps.slice(0, 1),
    };
    const { job } = await run('email\na@x.org\n', { delimiter: 'auto', mapping_fields });
    expect(job.dialect?.delimiter).toBe('comma');
    expect(job.counts.completed).toBe(1);
  });

  it('is not guessed when two delimiters yield the columns', async () => {
    const mapping_fields = {
      required_fields: [],
      field_maps: definition.mapping_fields.field_maps.slice(0, 1),
    };
    const { job } = await run('email\t,x\na@x.org\t,\n', { delimiter: 'auto', mapping_fields });
    expect(job.failure?.code).toBe('ambiguous_delimiter');
  });

  it('is not guessed when no delimiter yields the columns', async () => {
    const { job } = await run('email;name\na@x.org;Ann\n', { delimiter: 'auto' });
    expect(job.failure).toMatchObject({ code: 'missing_column' });
    expect(job.dialect).toBeNull();
  });
});

const text = 'email,first_name\r\na@x.org,"Zoë €"\r\n';
const windows1252 = Buffer.from('email,first_name\r\na@x.org,"Zo\xeb \x80"\r\n', 'latin1');

describe('an encoding that the file proves', () => {
  it.each([
    ['ASCII', Buffer.from('email,first_name\na@x.org,Zoe\n'), 'utf-8'],
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['Windows-1252', windows1252, 'windows-1252'],
    ['UTF-16LE with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16LE', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['UTF-16BE with a mark', swapped(`\ufeff${text}`), 'utf-16be'],
    ['UTF-16BE', swapped(text), 'utf-16be'],
    ['compressed Windows-1252', gzipSync(windows1252), 'windows-1252'],
  ])('%s is found, and shown on the job', async (_, file, encoding) => {
    const { job, people } = await run(file, { encoding: 'auto' });
    expect(job.dialect).toEqual({ encoding, delimiter: 'comma' });
    expect(people).toEqual([['a@x.org', file.includes('Zoe') ? 'Zoe' : 'Zoë €']]);
  });

  it.each([
    ['utf-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['utf-16', swapped(`\ufeff${text}`), 'utf-16be'],
    ['utf-16', swapped(text), 'utf-16be'],
    ['utf-16be', swapped(text), 'utf-16be'],
    ['utf-16le', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['windows-1252', windows1252, 'windows-1252'],
    ['latin1', windows1252, 'windows-1252'],
  ])('is read as %s', async (named, file, encoding) => {
    const { job, people } = await run(file, { encoding: named });
    expect(job.dialect).toEqual({ encoding, delimiter: 'comma' });
    expect(people).toEqual([['a@x.org', 'Zoë €']]);
  });

  it.each([
    ['utf-8', Buffer.from(text, 'utf16le'), 'This file is UTF-16, the definition says utf-8.'],
    ['utf-8', swapped(`\ufeff${text}`), 'This file is UTF-16 (big-endian), the definition says utf-8.'],
    ['windows-1252', Buffer.from(`\ufeff${text}`), 'This file is UTF-8 with a byte order mark'],
    ['utf-16le', swapped(text), 'Set `encoding` to utf-16be or auto.'],
    ['utf-16', Buffer.from(text), 'Set `encoding` to utf-16le or utf-16be.'],
    ['utf-16', Buffer.from(`\ufeff${text}`), 'Set `encoding` to utf-8 or auto.'],
  ])('that is not %s fails the file', async (named, file, message) => {
    const { job } = await run(file, { encoding: named });
    expect(job.failure).toMatchObject({ code: 'wrong_encoding', line: 1 });
    expect(job.failure?.message).toContain(message);
  });

  it('a file of bytes of two encodings fails, with the first byte that neither explains', async () => {
    const file = Buffer.concat([Buffer.from('email,first_name\na@x.org,Zoë Käthe\nb@x.org,'), windows1252]);
    const mixed = Buffer.from('email,first_name\na@x.org,Zo\xeb\nb@x.org,\x9d\n', 'latin1');
    for (const [bytes, position] of [
      [Buffer.concat([file, Buffer.from('c@x.org,äöü\n')]), 75],
      [mixed, 28],
    ] as const) {
      const { job, people } = await run(bytes, { encoding: 'auto' });
      expect(job.failure?.code).toBe('wrong_encoding');
      expect(job.failure?.message).toContain(`Byte 0xEB at position ${position} is not UTF-8.`);
      expect(people).toEqual([]);
    }
  });

  it('line breaks of both byte orders prove neither', async () => {
    const file = Buffer.concat([Buffer.from('email,first_name\r\n', 'utf16le'), swapped('a@x.org,A\r\n')]);
    const { job } = await run(file, { encoding: 'utf-16' });
    expect(job.failure?.code).toBe('wrong_encoding');
  });

  it('stray NUL characters do not make a file UTF-16', async () => {
    const { job, errors } = await run('email,first_name\na@x.org,B\u0000\r\nb@x.org,B\n', {
      encoding: 'auto',
    });
    expect(job.dialect?.encoding).toBe('utf-8');
    expect(errors).toMatchObject([{ row: 1, code: 'bad_characters' }]);
  });
});

describe('a large file of unknown encoding', () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `a${index}@x.org,Ann`).join('\n');
  const file = Buffer.concat([
    Buffer.from(`email,first_name\n${rows}\n`),
    Buffer.from('z@x.org,Zo\xeb\n', 'latin1'),
  ]);

  /** A clock that passes half of the time of a call whenever somebody looks at it. */
  const hasty = () => {
    let now = 0;
    return () => (now += limits.imports.proofSeconds * 500);
  };

  it.each([
    ['plain', file],
    ['compressed', gzipSync(file)],
  ])('a %s file is read to its end in several calls, each behind the call before', async (_, bytes) => {
    const { harness, id } = await withDefinition({ ...definition, encoding: 'auto' });
    const { reference, job } = await harness.upload(id, bytes);
    const offsets: (number | undefined)[] = [];
    for (let done = false; !done && offsets.length < 50;) {
      ({ done } = await inspectFile({ ...harness.deps, clock: hasty() }, reference));
      offsets.push((await harness.deps.imports.job(reference.property, job))?.proof?.offset);
    }
    expect(offsets.length).toBeGreaterThan(3);
    const read = offsets.slice(0, -1);
    expect(read).toEqual(read.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(read).size).toBe(read.length);
    expect((await harness.readJob(id, job)).dialect).toEqual({
      encoding: 'windows-1252',
      delimiter: 'comma',
    });
    // One expansion serves all calls.
    expect(harness.work.keys().filter((key) => key.includes('expanded')).length).toBeLessThanOrEqual(1);
  });
});
