import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { partsOf } from '../../shared/imports/uploads/upload-addresses.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { parseUploadKey } from '../../shared/imports/items/object-keys.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { partsUpload, wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { completeUpload, getUpload } from '../../shared/imports/uploads/pending-upload.ts';
import { request, withDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';

const { onePutBytes, partBytes } = limits.imports;

/** An upload of some size that has been asked for. */
const asked = async (size: number) => {
  const { harness, id } = await withDefinition();
  const creation = createUpload(
    harness.deps,
    request({ import_id: id }, {}, { file_name: 'visitors.csv', size }),
  );
  return { harness, id, creation };
};

/** One of two parts and a bit, with its routes. */
const large = async () => {
  const { harness, id, creation } = await asked(2 * partBytes + 1);
  const made = await answered(creation, partsUpload);
  const job = made.job_id;
  const path = { import_id: id, job_id: job };
  const stored = await harness.deps.imports.job(7, job);
  const upload = stored?.file?.awaited?.parts?.upload ?? '';
  return {
    harness,
    made,
    job,
    id,
    upload,
    look: () => getUpload(harness.deps, request(path, {}, undefined)),
    complete: () => completeUpload(harness.deps, request(path, {}, undefined)),
    part: (number: number, size = number === 3 ? 1 : partBytes) =>
      harness.deps.parts.upload(upload, number, new Uint8Array(size)),
  };
};

describe('an upload', () => {
  it('of what one PUT may hold has one address, and a new one when asked again', async () => {
    const { harness, id, creation } = await asked(onePutBytes);
    const made = await answered(creation, wholeUpload);
    const path = { import_id: id, job_id: made.job_id };
    const again = await answered(getUpload(harness.deps, request(path, {}, undefined)), wholeUpload);
    expect(again).toEqual(made);
    expect(again.headers).toEqual({ 'content-length': String(onePutBytes), 'if-none-match': '*' });
    expect(await completeUpload(harness.deps, request(path, {}, undefined))).toMatchObject({
      error: { status: 409, code: 'no_parts' },
    });
  });

  it('of more has an address for each part, which together are the file', async () => {
    const { made } = await large();
    expect(made.parts.map(({ part_number, offset, size }) => [part_number, offset, size])).toEqual([
      [1, 0, partBytes],
      [2, partBytes, partBytes],
      [3, 2 * partBytes, 1],
    ]);
    expect(new Set(made.parts.map(({ url }) => url)).size).toBe(3);
    expect(made.headers).toEqual({});
  });

  it('of the largest size has as many parts as one answer can name', () => {
    const parts = partsOf({ size: limits.imports.uploadBytes, parts: { upload: 'u', bytes: partBytes } });
    expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(limits.imports.uploadBytes);
    // A signed address with a session token has about 2 KB.
    expect(parts.length * 2_500).toBeLessThan(limits.http.pageBytes);
    expect(parts.length).toBeLessThanOrEqual(10_000);
  });
});

describe('an upload in parts', () => {
  it('can be gone on with: only what is missing, or has another size, is asked for', async () => {
    const { look, complete, part } = await large();
    part(1);
    part(2, 5);
    expect((await answered(look(), partsUpload)).parts.map(({ part_number }) => part_number)).toEqual([2, 3]);
    const early = await complete();
    expect(early).toMatchObject({ error: { status: 409, code: 'parts_missing' } });
    expect(!early.ok && early.error.detail).toContain('2, 3.');
    part(2);
    part(3);
    expect((await answered(look(), partsUpload)).parts).toEqual([]);
  });

  it('makes the file when it is completed, and completing it again changes nothing', async () => {
    const { harness, id, job, complete, part } = await large();
    for (const number of [1, 2, 3]) part(number);
    expect((await answered(complete(), jobAnswer)).counts.status).toBe('unknown');
    expect(await complete()).toMatchObject({ error: { status: 409, code: 'upload_gone' } });
    const [key = ''] = harness.uploads.keys().filter((one) => parseUploadKey(one));
    expect((await harness.uploads.head(key))?.size).toBe(2 * partBytes + 1);
    await harness.startImport(await harness.put(key, Buffer.from('email,first_name\n')));
    expect((await answered(complete(), jobAnswer)).counts.status).toBe('ingesting');
    expect((await harness.readJob(id, job)).counts.status).toBe('ingesting');
    expect(harness.started).toEqual([`p7-import-${job}`]);
  });

  it('that was left for days, cancelled, or is of another job, is refused', async () => {
    const { harness, id, job, upload, look, complete } = await large();
    harness.deps.parts.discard(upload);
    expect(await look()).toMatchObject({ error: { code: 'upload_gone' } });
    expect(await complete()).toMatchObject({ error: { code: 'upload_gone' } });
    await harness.cancel(id, job);
    expect(await look()).toMatchObject({ error: { status: 409, code: 'job_closed' } });
    expect(await complete()).toMatchObject({ error: { status: 409, code: 'job_closed' } });
    const { id: open } = await harness.openJob(id);
    const path = { import_id: id, job_id: open };
    expect(await getUpload(harness.deps, request(path, {}, undefined))).toMatchObject({
      error: { status: 404 },
    });
  });
});
