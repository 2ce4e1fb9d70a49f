import { describe, expect, it } from 'vitest';
import { finalCounts } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { fieldMap } from '../support/field-map.ts';
import { defineImport, firstNameOf, importFile } from '../support/running.ts';

const definition = {
  name: 'Besucher',
  delimiter: 'semicolon',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: [fieldMap('email', 'E-Mail'), fieldMap('first_name', 'Vorname')],
  },
};

/** The rows that a job refused, mended in a spreadsheet and sent back, over HTTP. */
describe('the mend loop over HTTP', () => {
  let service: Service;
  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  const refused = async (): Promise<string> => {
    const file = 'E-Mail;Vorname\na@x.org;Zoë\nb (at) x.org;Jürgen\nc (at) x.org;Åsa\n';
    const { job, counts } = await importFile(service, await defineImport(service, definition), file);
    expect(counts).toMatchObject({ completed: 1, unserializable: 2 });
    return job;
  };

  /** The list as a spreadsheet for German shows it, with its e-mail addresses corrected. */
  const mended = async (job: string): Promise<string> => {
    const style = 'format=csv&delimiter=semicolon&bom=true';
    const { text } = await service.call('GET', `${job}/errors?${style}`);
    expect(text.startsWith('\ufeffE-Mail;Vorname;batch_job_uuid;row;')).toBe(true);
    return text.replaceAll(' (at) ', '@');
  };

  const sendBack = (job: string, type: string, body: Uint8Array<ArrayBuffer>, key?: string) =>
    service.call('POST', `${job}/retry`, {
      body,
      headers: { 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    });

  it.each([
    ['CSV UTF-8', 'text/csv', (csv: string) => Buffer.from(csv)],
    ['CSV', 'text/csv; charset=windows-1252', (csv: string) => Buffer.from(csv.slice(1), 'latin1')],
    [
      'Unicode text',
      'text/csv; charset=utf-16',
      (csv: string) => Buffer.from(csv.replaceAll(';', '\t'), 'utf16le'),
    ],
  ])('a list saved as "%s" is taken back', async (_, type, saved) => {
    const job = await refused();
    const body = Buffer.from(saved(await mended(job)));
    const first = await sendBack(job, type, body, job);
    expect(first.status).toBe(202);
    const second = await sendBack(job, type, body, job);
    expect([second.status, second.text]).toEqual([202, first.text]);
    expect(await finalCounts(service.client, job)).toMatchObject({ status: 'complete', completed: 3 });
    expect([await firstNameOf(service, 'b@x.org'), await firstNameOf(service, 'c@x.org')]).toEqual([
      'Jürgen',
      'Åsa',
    ]);
  });

  it('two lists that differ in a byte outside UTF-8 are two requests under one key', async () => {
    const job = await refused();
    const type = 'text/csv; charset=windows-1252';
    const body = Buffer.from((await mended(job)).slice(1), 'latin1');
    expect((await sendBack(job, type, body, job)).status).toBe(202);
    const changed = Buffer.from(body.map((byte) => (byte === 0xfc ? 0xf6 : byte)));
    const { status, text } = await sendBack(job, type, changed, job);
    expect([status, text]).toEqual([422, expect.stringContaining('idempotency_key_reused')]);
  });

  it('a list in Windows-1252 without its name is refused with the way out', async () => {
    const job = await refused();
    const csv = await mended(job);
    const { status, text } = await sendBack(job, 'text/csv', Buffer.from(csv.slice(1), 'latin1'));
    expect([status, text]).toEqual([400, expect.stringContaining('charset=windows-1252')]);
  });
});
