import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';
import { bytesOf, columnsOf, path, ref } from './steps.ts';

const key = await newPgpKey();

/**
 * Three parts with 16 MB of rows, so that the file needs an upload in parts. Few members have long rows, because a row
 * takes more time than its bytes; the others were forgotten since they joined the segment.
 */
const SHARDS = 3;
const MEMBERS = 21_000;
const PEOPLE = 1_500;
const NOTE = 'x'.repeat(11_000);

interface Options {
  /** Whether each call of the assembly has time for one part only. */
  readonly isSlow?: boolean;
  readonly more?: object;
}

/** Without the id of the profile, which depends on the keys of the property. */
const columns = columnsOf('email', 'street');

/** A job whose parts are written. */
const written = async ({ isSlow = false, more = {} }: Options = {}): Promise<ExportsHarness> => {
  const made: ExportsHarness = exportsHarness({
    before: (operation) => {
      if (isSlow && operation === 'work read') made.fakes.now += 700_000;
    },
  });
  const ordinals = Array.from({ length: MEMBERS }, (_, ordinal) => ordinal);
  for (const ordinal of ordinals.filter((each) => each % (MEMBERS / PEOPLE) === 0))
    made.fakes.profiles.set(
      ordinal,
      profile(ordinal, { fields: { email: `p${ordinal}@example.test`, street: NOTE } }),
    );
  made.fakes.members.set(segment(2), ordinals);
  bodyOf(await made.create({ segment: [segment(2)], ...columns, ...more }));
  const { shards } = await made.plan(ref);
  expect(shards).toHaveLength(SHARDS);
  for (const { shard } of shards) await made.part(ref, shard);
  return made;
};

/** Calls the assembly as its workflow does, and returns the answers. */
const assembled = async (made: ExportsHarness): Promise<readonly string[]> => {
  const answers: string[] = [];
  while (answers.length < 20) {
    const { status } = await made.assemble(ref);
    answers.push(status);
    if (status !== 'running') return answers;
  }
  throw new Error('the assembly does not end');
};

/** The file of a job without interruption. */
const expected = await (async () => {
  const made = await written();
  expect(await assembled(made)).toEqual(['complete']);
  return bytesOf(made);
})();

const holdsFile = async (made: ExportsHarness): Promise<void> => {
  const bytes = await bytesOf(made);
  expect(bytes.equals(expected)).toBe(true);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(bodyOf(await made.readJob(path))).toMatchObject({ rows: PEOPLE, bytes: bytes.length, sha256 });
};

describe('the assembly of a file that takes longer than a call', () => {
  it('goes on where the call before stopped', async () => {
    const made = await written({ isSlow: true });
    expect(await assembled(made)).toEqual(['running', 'running', 'complete']);
    await holdsFile(made);
    expect(expected.length).toBeGreaterThan(16_000_000);
  });

  it('goes on within an encrypted file', async () => {
    const made = await written({ isSlow: true, more: { pgp_public_key: publicText(key) } });
    expect(await assembled(made)).toEqual(['running', 'running', 'complete']);
    const bytes = await bytesOf(made);
    expect((await decryptWith(key, bytes)).equals(expected)).toBe(true);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(bodyOf(await made.readJob(path))).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it('goes on within a compressed file, plain or encrypted', async () => {
    for (const more of [{}, { pgp_public_key: publicText(key) }]) {
      const made = await written({ isSlow: true, more: { ...more, compression: 'gzip' } });
      expect(await assembled(made)).toEqual(['running', 'running', 'complete']);
      const bytes = await bytesOf(made);
      const packed = 'pgp_public_key' in more ? await decryptWith(key, bytes) : bytes;
      expect(gunzipSync(packed).equals(expected)).toBe(true);
    }
  });

  it('makes one compressed file when two calls run at once', async () => {
    const made = await written({ isSlow: true, more: { compression: 'gzip' } });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    await Promise.allSettled([assembled(made), assembled(made)]);
    expect((await made.assemble(ref)).status).toBe('complete');
    expect(gunzipSync(await bytesOf(made)).equals(expected)).toBe(true);
  });

  it('keeps no plain bytes and no session key between its calls', async () => {
    const made = await written({ isSlow: true });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    for (const name of made.work.keys())
      expect(Buffer.from((await made.work.get(name)) ?? []).includes(NOTE.slice(0, 50)), name).toBe(false);
  });

  it('repeats a call that died between two parts', async () => {
    const made = await written({ isSlow: true });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    const putStream = made.work.putStream.bind(made.work);
    made.work.putStream = () => Promise.reject(new Error('killed'));
    await expect(made.assemble(ref)).rejects.toThrow('killed');
    made.work.putStream = putStream;
    expect(await assembled(made)).toEqual(['running', 'complete']);
    await holdsFile(made);
  });

  it('begins again when a call died after it had stored the file', async () => {
    const made = await written({ isSlow: true });
    const complete = made.fileParts.complete.bind(made.fileParts);
    let deaths = 0;
    made.fileParts.complete = async (...call) => {
      const etag = await complete(...call);
      deaths += 1;
      if (deaths === 1) throw new Error('killed');
      return etag;
    };
    await expect(assembled(made)).rejects.toThrow('killed');
    const answers = await assembled(made);
    expect(answers.at(-1)).toBe('complete');
    await holdsFile(made);
  });

  it('begins again when the upload was discarded', async () => {
    const made = await written({ isSlow: true });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    made.fileParts.discard('upload-1');
    expect((await assembled(made)).at(-1)).toBe('complete');
    await holdsFile(made);
  });

  it('makes one file when two calls run at once', async () => {
    const made = await written({ isSlow: true });
    expect(await made.assemble(ref)).toEqual({ status: 'running' });
    await Promise.allSettled([assembled(made), assembled(made)]);
    expect((await made.assemble(ref)).status).toBe('complete');
    await holdsFile(made);
  });
});
