import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { defineImport, firstNameOf, importFile } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const definition = definitionOf(['email', 'first_name']);
const errorsSchema = v.looseObject({
  errors: v.array(v.looseObject({ row: v.nullable(v.number()), code: v.string(), message: v.string() })),
});
const noErrors = { unserializable: 0, failed: 0 };

describe('a broken file ends as a failed job or as refused rows with reasons', () => {
  let service: Service;
  let path: string;
  shared.beforeAll(async ({ service: own }) => {
    service = own;
    path = await defineImport(service, definition);
  });

  const run = async (file: string | Buffer<ArrayBuffer>) => {
    const { job, counts } = await importFile(service, path, file);
    return { counts, errors: (await service.client.get(`${job}/errors`, errorsSchema)).errors };
  };
  const isStored = async (email: string): Promise<boolean> =>
    (await firstNameOf(service, email)) !== undefined;

  it('a file of a header alone is a complete job of no rows', async () => {
    expect((await run('email,first_name\r\n')).counts).toMatchObject({
      status: 'complete',
      ingested: 0,
      ...noErrors,
    });
  });

  it('a byte order mark and Unix line ends are accepted', async () => {
    expect((await run('\ufeffemail,first_name\nbom@example.org,Zoë')).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('bytes of another encoding are never stored as replacement characters', async () => {
    const latin = Buffer.from('email,first_name\r\nlatin@example.org,Zo\u00eb\r\n', 'latin1');
    const { counts, errors } = await run(latin);
    expect(['failed', 'complete-with-errors']).toContain(counts.status);
    expect(errors.length).toBeGreaterThan(0);
    expect(await isStored('latin@example.org')).toBe(false);
  });

  it('a missing column fails the file and names the column', async () => {
    const { counts, errors } = await run('email,name\r\nmissing@example.org,A\r\n');
    expect(counts).toMatchObject({ status: 'failed', completed: 0 });
    expect(errors.map(({ message }) => message).join(' ')).toContain('first_name');
    expect(await isStored('missing@example.org')).toBe(false);
  });

  it('an open quote is an error with its place, and the rows before the quote are stored', async () => {
    const { counts, errors } = await run(
      'email,first_name\r\nbefore@example.org,A\r\nopen@example.org,"B\r\nlost@example.org,C\r\n',
    );
    expect(['failed', 'complete-with-errors']).toContain(counts.status);
    expect(errors.length).toBeGreaterThan(0);
    expect(await isStored('lost@example.org')).toBe(false);
  });

  it('the good rows of a half-bad file are stored', async () => {
    const good = Array.from({ length: 20 }, (_, index) => `half.${index}@example.org,"A ""quoted"" name"`);
    const bad = Array.from({ length: 20 }, () => 'not-an-address,B');
    const rows = good.flatMap((row, index) => [row, bad[index] ?? '']);
    const { counts, errors } = await run(`email,first_name\r\n${rows.join('\r\n')}\r\n`);
    expect(counts).toMatchObject({
      status: 'complete-with-errors',
      ingested: 40,
      completed: 20,
      unserializable: 20,
    });
    expect(errors.map(({ row }) => row)).toEqual(Array.from({ length: 20 }, (_, index) => 2 * index + 2));
    expect(await isStored('half.19@example.org')).toBe(true);
  });
});
