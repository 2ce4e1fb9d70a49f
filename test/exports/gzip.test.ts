import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GzipMembers, type GzipState } from '../../shared/exports/file/gzip-members.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { bytesOf, columnsOf, path, ran, ref } from './steps.ts';
import { bodyOf } from './harness.ts';

const run = (body: object) =>
  ran({ ...columnsOf('email', 'first_name'), ...body }, { count: 20, members: [1, 2, 3, 13] });

describe('a compressed file', () => {
  it('holds the bytes of the plain file, and says its own size and hash', async () => {
    for (const data_format of ['csv', 'jsonl']) {
      const plain = await bytesOf(await run({ data_format }));
      const harness = await run({ data_format, compression: 'gzip' });
      const bytes = await bytesOf(harness);
      expect(gunzipSync(bytes).equals(plain)).toBe(true);
      expect(bodyOf(await harness.readJob(path))).toMatchObject({
        file_name: `${ref.export}-${ref.job}.${data_format}.gz`,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    }
  });

  it('is compressed before it is encrypted', async () => {
    const key = await newPgpKey();
    const plain = await bytesOf(await run({}));
    const harness = await run({ compression: 'gzip', pgp_public_key: publicText(key) });
    expect(gunzipSync(await decryptWith(key, await bytesOf(harness))).equals(plain)).toBe(true);
    expect(bodyOf(await harness.readJob(path))['file_name']).toBe(`${ref.export}-${ref.job}.csv.gz.pgp`);
  });

  it('is a valid file without any bytes', async () => {
    const harness = await run({ compression: 'gzip', data_format: 'jsonl', start_date: '2030-01-01' });
    expect(gunzipSync(await bytesOf(harness))).toEqual(Buffer.alloc(0));
  });
});

describe('a compressed stream', () => {
  /** Half of it compresses well. Three members and a piece of a fourth. */
  const plain = Buffer.concat([randomBytes(1_700_000), Buffer.alloc(1_700_000, 'abc')]);

  /** Compresses the bytes in pieces, and goes on from a stored state before each of some pieces. */
  const compressed = async (pieces: number, isSuspended: (piece: number) => boolean): Promise<Buffer> => {
    let stream = new GzipMembers();
    const out: Uint8Array[] = [];
    const size = Math.ceil(plain.length / pieces);
    for (let piece = 0; piece < pieces; piece += 1) {
      if (isSuspended(piece)) {
        const state: GzipState = structuredClone(stream.state());
        stream = new GzipMembers(state);
      }
      out.push(await stream.write(plain.subarray(piece * size, (piece + 1) * size)));
    }
    out.push(await stream.end());
    return Buffer.concat(out);
  };

  it('has the same bytes, wherever it was cut and suspended', async () => {
    const whole = await compressed(1, () => false);
    expect(gunzipSync(whole).equals(plain)).toBe(true);
    expect((await compressed(7, () => true)).equals(whole)).toBe(true);
    expect((await compressed(50, (piece) => piece % 3 === 1)).equals(whole)).toBe(true);
  });

  it('keeps its state when the stream goes on', async () => {
    const stream = new GzipMembers();
    await stream.write(Buffer.from('first'));
    const state = stream.state();
    await stream.write(Buffer.from('other'));
    expect(Buffer.from(state.held).toString()).toBe('first');
  });
});
