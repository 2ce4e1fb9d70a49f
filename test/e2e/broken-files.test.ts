import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { finalCounts, identified, uploadFile } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { fieldMap } from '../support/field-map.ts';

const definition = {
  name: 'Broken files',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: ['email', 'first_name'].map((name) => fieldMap(name)),
  },
};
const errorsSchema = v.looseObject({
  errors: v.array(v.looseObject({ row: v.nullable(v.number()), code: v.string(), message: v.string() })),
});
const noErrors = { unserializable: 0, failed: 0 };

describe('a broken file ends as a failed job or as refused rows with reasons', () => {
  let service: Service;
  let importId: number;
  shared.beforeAll(async ({ service: own }) => {
    service = own;
    importId = (await service.client.post(`/v1/${service.property}/imports`, definition, identified)).id;
  });

  const run = async (file: string | Buffer<ArrayBuffer>) => {
    const bytes = typeof file === 'string' ? Buffer.from(file) : file;
    const { client, property } = service;
    const path = `/v1/${property}/imports/${importId}`;
    const job = await uploadFile(client, path, { name: 'broken.csv', bytes });
    const counts = await finalCounts(client, job);
    return { counts, errors: (await client.get(`${job}/errors`, errorsSchema)).errors };
  };
  const isStored = async (email: string): Promise<boolean> =>
    (await service.call('GET', `/v1/${service.property}/profile?email=${email}`)).status === 200;

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
