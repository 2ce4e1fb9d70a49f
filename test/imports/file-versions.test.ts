/** Files whose step, or whose PUT, is repeated. Every put of the same bytes is another version, as under SSE-KMS. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { request, withDefinition, referenceOf } from './import-harness.ts';
import { answered } from '../support/requests.ts';

describe('a compressed file', () => {
  it('whose first step is called twice (Step Functions calls again after Lambda.ServiceException) is imported', async () => {
    const { harness, id } = await withDefinition();
    const { work } = harness;
    const rows = Array.from({ length: 50 }, (_, n) => `p${n}@x.org,P`).join('\n');
    const file = gzipSync(`email,first_name\n${rows}\n`);
    const { reference, job } = await harness.upload(id, file, 'visitors.csv.gz');

    // Two calls of the first step at once: the second one has read the job before the first one has ended, and writes after it.
    const gone = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    const late = {
      head: work.head.bind(work),
      read: work.read.bind(work),
      putStream: async (key: string, body: AsyncIterable<Uint8Array>) => {
        reached.resolve(undefined);
        await gone.promise;
        return work.putStream(key, body);
      },
    };
    const second = inspectFile({ ...harness.deps, work: late }, reference);
    await reached.promise;
    expect(await harness.inspectFile(reference)).toEqual({ status: 'ok', done: true });
    gone.resolve(undefined);
    expect(await second).toEqual({ status: 'ok', done: true });
    expect(await harness.splitFile(reference)).toEqual({ status: 'ok', done: true });
    for (const message of harness.messages()) await harness.importBatch(message);
    expect((await harness.readJob(id, job)).counts).toMatchObject({ status: 'complete', completed: 50 });
    expect(await harness.people()).toHaveLength(50);
  });
});

describe('an upload whose PUT the client repeats, because the answer to the first was lost', () => {
  it('is imported by its job', async () => {
    const { harness, id } = await withDefinition();
    const bytes = Buffer.from('email,first_name\na@x.org,Ann\n');
    const asked = request({ import_id: id }, {}, { file_name: 'visitors.csv', size: bytes.length });
    const { url, headers, job_id: job } = await answered(createUpload(harness.deps, asked), wholeUpload);
    const key = new URL(url).pathname.slice(1);
    const ifAbsent = headers['if-none-match'] === '*';
    const event = await harness.put(key, bytes, { ifAbsent });
    const repeated = await harness.put(key, bytes, { ifAbsent });
    for (const told of [event, repeated, event]) await harness.startImport(told);
    const reference = referenceOf(id, job);
    expect(await harness.inspectFile(reference)).toEqual({ status: 'ok', done: true });
    await harness.splitFile(reference);
    await harness.workOff();
    await harness.settleImport(reference);
    expect((await harness.readJob(id, job)).counts).toMatchObject({ status: 'complete', completed: 1 });
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${job}`]));
  });
});
