import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GzipMembers, type GzipState } from '../../shared/exports/file/gzip-members.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { path, people, ref, runAll } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, segment } from './harness.ts';

const fileOf = async (harness: ExportsHarness): Promise<Buffer> => {
  const { key = '' } = (await harness.exports.job(ref))?.value.file ?? {};
  return Buffer.from((await harness.files.get(key)) ?? []);
};

const run = async (body: object): Promise<ExportsHarness> => {
  const harness = exportsHarness();
  people(harness, 20);
  harness.fakes.members.set(segment(2), [1, 2, 3, 13]);
  const columns = ['email', 'first_name'].map((name) => ({
    umbel_field_name: name,
    destination_field_name: name,
  }));
  const custom = { field_set: 'custom', custom_result_format: columns };
  bodyOf(await harness.create({ segment: [segment(2)], ...custom, ...body }));
  await runAll(harness);
  return harness;
};

describe('a compressed file', () => {
  it('holds the bytes of the plain file, and says its own size and hash', async () => {
    for (const data_format of ['csv', 'jsonl']) {
      const plain = await fileOf(await run({ data_format }));
      const harness = await run({ data_format, compression: 'gzip' });
      const bytes = await fileOf(harness);
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
    const plain = await fileOf(await run({}));
    const harness = await run({ compression: 'gzip', pgp_public_key: publicText(key) });
    expect(gunzipSync(await decryptWith(key, await fileOf(harness))).equals(plain)).toBe(true);
    expect(bodyOf(await harness.readJob(path))['file_name']).toBe(`${ref.export}-${ref.job}.csv.gz.pgp`);
  });

  it('is a valid file without any bytes', async () => {
    const harness = await run({ compression: 'gzip', data_format: 'jsonl', start_date: '2030-01-01' });
    expect(gunzipSync(await fileOf(harness))).toEqual(Buffer.alloc(0));
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
