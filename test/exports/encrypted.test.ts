import { createHash } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { FileState, FileStore, Protection } from '../../shared/exports/file/outgoing-file.ts';
import type { UploadState } from '../../shared/runtime/resumable-upload.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { path, ref, runAll, begun, bytesOf } from './steps.ts';
import { bodyOf, type ExportsHarness } from './harness.ts';
import { parse } from 'csv-parse/sync';

const key = await newPgpKey();
const pgp_public_key = publicText(key);

const ordinals = Array.from({ length: 30 }, (_, ordinal) => ordinal);
const harness = (more: object = {}): Promise<ExportsHarness> =>
  begun({ pgp_public_key, ...more }, { count: ordinals.length, members: ordinals });

const decrypted = async (bytes: Buffer, by = key): Promise<string> =>
  (await decryptWith(by, bytes)).toString();

describe('an encrypted export', () => {
  it('opens for its receiver alone, is named .pgp, and tells its own size and hash', async () => {
    const made = await harness();
    expect(bodyOf(await made.read(path))).toMatchObject({ pgp_public_key });
    await runAll(made);
    const bytes = await bytesOf(made);
    const text = await decrypted(bytes);
    expect(parse(text)).toHaveLength(31);
    expect(text).toContain('p29@example.test');
    await expect(decrypted(bytes, await newPgpKey())).rejects.toThrow();
    const job = bodyOf(await made.readJob(path));
    expect(job).toMatchObject({
      status: 'complete',
      file_name: `${ref.export}-${ref.job}.csv.pgp`,
      rows: 30,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(job['location']).toMatch(/\.csv\.pgp$/);
  });

  it('whose key has expired by then fails, and stores nothing', async () => {
    const soon = publicText(await newPgpKey({ keyExpirationTime: 152 * 86_400 }));
    const made = await harness({ pgp_public_key: soon });
    made.fakes.now += 2 * 86_400_000;
    await runAll(made);
    expect(bodyOf(await made.readJob(path))).toMatchObject({
      status: 'failed',
      location: null,
      error: { code: 'key_expired' },
    });
    expect(made.files.keys().filter((at) => at.includes('.csv'))).toEqual([]);
  });

  it('cannot be stored unprotected: the types do not allow it', () => {
    expectTypeOf<Parameters<FileStore['begin']>[1]>().toEqualTypeOf<Protection>();
    expectTypeOf<Parameters<FileStore['resume']>[0]>().toEqualTypeOf<FileState>();
    expectTypeOf<{ upload: UploadState; message: null }>().not.toExtend<FileState>();
    expectTypeOf<{ recipient: undefined }>().not.toExtend<Protection>();
  });
});
