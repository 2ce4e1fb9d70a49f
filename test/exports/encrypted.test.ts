import { createHash } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { FileState, FileStore, Protection } from '../../shared/exports/file/outgoing-file.ts';
import type { UploadState } from '../../shared/runtime/resumable-upload.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { path, ref, runAll } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';

const key = await newPgpKey();
const pgp_public_key = publicText(key);

/** Stands in a name, a cell and a key of the data, and nowhere else. */
const CANARY = 'canary4711';

const harness = async (more: object = {}): Promise<ExportsHarness> => {
  const made = exportsHarness();
  for (let ordinal = 0; ordinal < 30; ordinal += 1)
    made.fakes.profiles.set(
      ordinal,
      profile(ordinal, {
        fields: { email: `${CANARY}.${ordinal}@example.org`, first_name: CANARY },
        extra: { [CANARY]: `${CANARY} ${ordinal}` },
      }),
    );
  made.fakes.members.set(segment(2), [...made.fakes.profiles.keys()]);
  const definition = {
    segment: [segment(2)],
    webhook_url: 'https://hooks.example.com/x',
    notification_email: 'receiver@example.org',
    destination_credentials: { domain: 'files.example.com', client_id: 'receiver' },
    pgp_public_key,
  };
  bodyOf(await made.create({ ...definition, ...more }));
  return made;
};

const fileOf = async (made: ExportsHarness): Promise<{ name: string; bytes: Buffer }> => {
  const job = await made.exports.job(ref);
  const { key: at = '', name = '' } = job?.value.file ?? {};
  return { name, bytes: Buffer.from((await made.files.get(at)) ?? []) };
};

const decrypted = async (bytes: Buffer, by = key): Promise<string> =>
  (await decryptWith(by, bytes)).toString();

describe('an encrypted export', () => {
  it('opens for its receiver alone, is named .pgp, and tells its own size and hash', async () => {
    const made = await harness();
    expect(bodyOf(await made.read(path))).toMatchObject({ pgp_public_key });
    await runAll(made);
    const { name, bytes } = await fileOf(made);
    expect(name).toBe(`${ref.export}-${ref.job}.csv.pgp`);
    const text = await decrypted(bytes);
    expect(text.split('\r\n')).toHaveLength(32);
    expect(text).toContain(`${CANARY}.29@example.org`);
    await expect(decrypted(bytes, await newPgpKey())).rejects.toThrow();
    const job = bodyOf(await made.readJob(path));
    expect(job).toMatchObject({
      status: 'complete',
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
