import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LINE_END, printLine } from '../../shared/csv/print-line.ts';
import { finalCounts, uploadSchema } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { defineImport, firstNameOf, importFile, openJob } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const columns = ['email', 'first_name'];
const batchSchema = v.looseObject({ batch_job_uuid: v.string() });
const jobsSchema = v.looseObject({ jobs: v.array(v.looseObject({ id: v.number() })) });
const failureSchema = v.looseObject({ failure: v.nullable(v.looseObject({ code: v.string() })) });

const complete = (ingested: number, unserializable = 0) => ({
  status: unserializable === 0 ? 'complete' : 'complete-with-errors',
  ingested,
  serialized: ingested - unserializable,
  unserializable,
  processing: 0,
  completed: ingested - unserializable,
  failed: 0,
});

/** Jobs of imports as a client drives them: over HTTP, with every count. */
describe('import jobs over HTTP', () => {
  let service: Service;
  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  const define = (more: object = {}) => defineImport(service, { ...definitionOf(columns), ...more });
  const send = (job: number, emails: readonly string[], key?: string) =>
    service.call('POST', `/v1/${service.property}/import-data`, {
      body: JSON.stringify({ name: 'b', import_job: job, records: emails.map((email) => ({ email })) }),
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });

  it.each([
    ['tab', { delimiter: 'tab' }, 'email\tfirst_name\ntab@x.org\tA, B|C\n', 'A, B|C'],
    ['pipe', { delimiter: 'pipe' }, 'email|first_name\npipe@x.org|A, B\tC\n', 'A, B\tC'],
    [
      'latin1',
      { encoding: 'latin1' },
      Buffer.from('email,first_name\nlatin1@x.org,Zo\xeb \x80\n', 'latin1'),
      'Zoë €',
    ],
    [
      'utf-16le',
      { encoding: 'utf-16le' },
      Buffer.from('\ufeffemail,first_name\r\nutf-16le@x.org,"Zoë\r\n𝄞"\r\n', 'utf16le'),
      'Zoë\r\n𝄞',
    ],
    ['gz', {}, gzipSync('email,first_name\ngz@x.org,Packed\n'), 'Packed'],
  ])('the counts of a file are exact: %s', async (kind, more, file, name) => {
    expect((await importFile(service, await define(more), file)).counts).toEqual(complete(1));
    expect(await firstNameOf(service, `${kind}@x.org`)).toBe(name);
  });

  it('a page of any origin sends a file to its address, which its browser asks for first, and reads nothing else', async () => {
    const file = 'email,first_name\npage@x.org,A\n';
    const body = { file_name: 'page.csv', size: file.length };
    const { url, headers } = await service.client.post(`${await define()}/uploads`, body, uploadSchema);
    const origin = 'https://console.example.net';
    const names = Object.keys(headers).join(',');
    const ask = (method: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': names,
        },
      });
    const asked = await ask('PUT');
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect((await ask('GET')).status).toBe(403);
    const put = await fetch(url, { method: 'PUT', headers: { ...headers, origin }, body: file });
    const shown = [put.status, put.headers.get('access-control-expose-headers'), put.headers.has('etag')];
    expect(shown).toEqual([200, 'ETag', true]);
  });

  it('test_mode checks and counts all rows and stores nothing', async () => {
    const { counts } = await importFile(
      service,
      await define({ test_mode: true }),
      'email,first_name\ntest@x.org,A\nbad,B\n',
    );
    expect(counts).toEqual(complete(2, 1));
    expect(await firstNameOf(service, 'test@x.org')).toBeUndefined();
  });

  it('file_match_rule refuses other file names and imports matching files', async () => {
    const path = await define({ file_match_rule: 'visitors-*.csv' });
    const body = JSON.stringify({ file_name: 'other.csv', size: 5 });
    const refused = await service.call('POST', `${path}/uploads`, { body });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      422,
      { errors: [{ pointer: '/file_name', code: 'not_matched' }] },
    ]);
    expect(
      (await importFile(service, path, 'email,first_name\nm@x.org,A\n', 'visitors-1.csv')).counts,
    ).toEqual(complete(1));
    expect((await service.client.get(`${path}/jobs`, jobsSchema)).jobs).toHaveLength(1);
  });

  it('each of two batches reopens its job, and a repeated batch key makes no second batch', async () => {
    const { id, job } = await openJob(service, await define());
    const first = await send(id, ['k1@x.org', 'k2@x.org'], 'key-1');
    const again = await send(id, ['k1@x.org', 'k2@x.org'], 'key-1');
    expect([first.status, again.status]).toEqual([202, 202]);
    const uuidOf = (text: string) => v.parse(batchSchema, JSON.parse(text)).batch_job_uuid;
    expect(uuidOf(again.text)).toBe(uuidOf(first.text));
    const other = await send(id, ['k3@x.org'], 'key-1');
    expect([other.status, JSON.parse(other.text)]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
    expect(await finalCounts(service.client, job)).toEqual(complete(2));
    expect(JSON.parse((await send(id, ['k3@x.org', 'bad'])).text)).toMatchObject({
      import_job: { counts: { status: 'ingestion-complete', ingested: 4, completed: 2, processing: 2 } },
    });
    expect(await finalCounts(service.client, job)).toEqual(complete(4, 1));
  });

  it('a canceled job keeps its stored rows and stores no waiting rows', async () => {
    const { id, job } = await openJob(service, await define());
    await send(id, ['before@x.org']);
    expect(await finalCounts(service.client, job)).toEqual(complete(1));
    const restore = service.cloud.gateway.withoutAction('importBatch', 'dynamodb:BatchGetItem');
    await send(id, ['after@x.org', 'never@x.org']);
    expect((await service.call('POST', `${job}/cancel`)).status).toBe(200);
    restore();
    expect(await finalCounts(service.client, job)).toEqual({
      ...complete(1),
      status: 'cancelled',
      ingested: 3,
      serialized: 3,
      failed: 2,
    });
    expect((await send(id, ['late@x.org'])).status).toBe(409);
    expect([await firstNameOf(service, 'before@x.org'), await firstNameOf(service, 'after@x.org')]).toEqual([
      '',
      undefined,
    ]);
  });

  it('a retry stores each corrected row of the downloaded list once', async () => {
    const path = await define();
    const { job, counts } = await importFile(
      service,
      path,
      'email,first_name\nr1@x.org,A\nbad one,"=B,1"\nbad two,C\n',
    );
    expect(counts).toEqual(complete(3, 2));
    const { text } = await service.call('GET', `${job}/errors?format=csv`);
    const [header = [], one = [], ...others] = parse(text, {});
    const print = (rows: readonly string[][]): string =>
      rows.map((row) => printLine({ delimiter: ',', formulaGuard: false }, row) + LINE_END).join('');
    const csv = print([header, ['r2@x.org', ...one.slice(1)], ...others]);
    const again = await service.client.post(`${job}/retry`, { csv }, batchSchema);
    expect(again).toMatchObject({ import_job: { counts: { ingested: 3, processing: 2 } } });
    expect(await finalCounts(service.client, job)).toEqual(complete(3, 1));
    expect(await firstNameOf(service, 'r2@x.org')).toBe('=B,1');
    const twice = await service.call('POST', `${job}/retry`, { body: JSON.stringify({ csv }) });
    expect([twice.status, JSON.parse(twice.text)]).toMatchObject([
      422,
      { errors: [{ code: 'not_refused' }, {}] },
    ]);
    const [left] = parse((await service.call('GET', `${job}/errors?format=csv`)).text, { from: 2 });
    await service.client.post(
      `${job}/retry`,
      { csv: print([header, ['r3@x.org', ...(left ?? []).slice(1)]]) },
      batchSchema,
    );
    expect(await finalCounts(service.client, job)).toEqual(complete(3));
  });

  it('a replaced definition applies to the next file, and can be deleted once its jobs have ended', async () => {
    const path = await define();
    expect((await importFile(service, path, 'email,first_name\nd1@x.org,A\n')).counts).toEqual(complete(1));
    const body = JSON.stringify(definitionOf(columns, { delimiter: 'pipe' }));
    const replaced = await service.call('PUT', path, { body });
    expect([replaced.status, JSON.parse(replaced.text)]).toMatchObject([200, { delimiter: 'pipe' }]);
    expect((await importFile(service, path, 'email|first_name\nd2@x.org|B\n')).counts).toEqual(complete(1));
    const { id, job } = await openJob(service, path);
    const refused = await service.call('DELETE', path);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { code: 'in_use' }]);
    await send(id, ['d3@x.org']);
    expect(await finalCounts(service.client, job)).toEqual(complete(1));
    expect((await service.call('DELETE', path, { as: 'other' })).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expect((await service.call(method, path)).status).toBe(404);
    expect((await service.call('PUT', path, { body })).status).toBe(404);
    expect((await send(id, ['d4@x.org'])).status).toBe(422);
    expect(await finalCounts(service.client, job)).toEqual(complete(1));
  });

  it('a list of refused rows that is longer than a page is downloaded whole by following its redirect', async () => {
    const path = await define();
    const { id, job } = await openJob(service, path);
    const records = Array.from({ length: 1_500 }, (_, n) => ({ email: `bad${n}` }));
    const batch = { name: 'b', import_job: id, records };
    await service.client.post(`/v1/${service.property}/import-data`, batch, v.looseObject({}));
    await finalCounts(service.client, job);
    const list = `${job}/errors?format=csv`;
    expect((await service.call('GET', list)).status).toBe(303);
    const { status, text } = await service.call('GET', list, { follow: true });
    expect([status, text.split('\r\n').length]).toEqual([200, 1_502]);
    expect(text).toContain('bad1499');
  });

  it('a PUT that the client repeats is refused, and its file is imported once', async () => {
    const path = await define();
    const body = Buffer.from('email,first_name\nnew@x.org,New\n');
    const { job_id, url, headers } = await service.client.post(
      `${path}/uploads`,
      { file_name: 'visitors.csv', size: body.length },
      uploadSchema,
    );
    const put = async (sent = headers) => (await fetch(url, { method: 'PUT', headers: sent, body })).status;
    expect(await put({ 'content-length': String(body.length) }), 'without its signed header').toBe(403);
    expect([await put(), await put()]).toEqual([200, 412]);
    expect(await finalCounts(service.client, `${path}/jobs/${job_id}`)).toEqual(complete(1));
    const { jobs } = await service.client.get(`${path}/jobs`, jobsSchema);
    expect(jobs.map(({ id }) => id)).toEqual([job_id]);
    expect(await firstNameOf(service, 'new@x.org')).toBe('New');
  });

  it('an upload in parts with a cell of 100 MB loses one row, and the other rows are stored', async () => {
    const cell = `"${'very long, '.repeat(9_200_000)}"`;
    const { job, counts } = await importFile(
      service,
      await define(),
      `email,first_name\nlong1@x.org,A\nhuge@x.org,${cell}\nlong2@x.org,B\n`,
    );
    expect(counts).toEqual(complete(3, 1));
    const { text } = await service.call('GET', `${job}/errors`);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ row: 2, line: 3, code: 'row_too_large' }] });
    expect([await firstNameOf(service, 'long1@x.org'), await firstNameOf(service, 'long2@x.org')]).toEqual([
      'A',
      'B',
    ]);
  });

  it.each([
    ['a gzip bomb', gzipSync(Buffer.alloc(60_000_000, 'a')), 'expands_too_far'],
    ['a million columns', `${'c,'.repeat(1_000_000)}email,first_name\n`, 'header_too_large'],
  ])('%s fails the file', async (_, file, code) => {
    const { job, counts } = await importFile(service, await define(), Buffer.from(file));
    expect(counts).toMatchObject({ status: 'failed', ingested: 0 });
    expect((await service.client.get(job, failureSchema)).failure?.code).toBe(code);
  });

  it('a batch with every character escaped is accepted, and its oversized values are refused', async () => {
    const { id, job } = await openJob(service, await define());
    const quotes = { email: 'quotes@x.org', extra_data: { quotes: '"'.repeat(1_400_000) } };
    const body = JSON.stringify({ name: 'b', import_job: id, records: [quotes, { email: 'plain@x.org' }] });
    expect(body.length).toBeGreaterThan(2_800_000);
    const answer = await service.call('POST', `/v1/${service.property}/import-data`, { body });
    expect(answer.status).toBe(202);
    expect(await finalCounts(service.client, job)).toMatchObject({ ingested: 2, completed: 1 });
    const { text } = await service.call('GET', `${job}/errors`);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ row: 1, code: 'profile_too_large' }] });
  });

  it.each(['0', '-1', 'abc', '1.5', '1e3', '9007199254740993', '%00', '..%2f1', '%20', 'é'])(
    'no import and no job has the id %s',
    async (id) => {
      const path = await define();
      for (const asked of [`${path}/../${id}`, `${path}/jobs/${id}`, `${path}/jobs/${id}/errors`]) {
        const answer = await service.call('GET', asked);
        expect([asked, [400, 404].includes(answer.status)]).toEqual([asked, true]);
        expect(JSON.parse(answer.text)).toMatchObject({ status: answer.status });
      }
      const deleted = await service.call('DELETE', `${path}/jobs`);
      expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    },
  );

  it('a row of half a million cells is refused', async () => {
    const { counts } = await importFile(
      service,
      await define(),
      `email,first_name\nw@x.org,${'x,'.repeat(500_000)}\nv@x.org,V\n`,
    );
    expect(counts).toEqual(complete(2, 1));
  });
});
