import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gather } from '../../shared/runtime/bytes.ts';
import { open, seal, SealBrokenError } from '../../shared/exports/file/sealed-frames.ts';

const dataKey = randomBytes(32);
const context = '7/7000000001/0/rows';
const FRAME = 128 * 1024;
const FRAME_OVERHEAD = 20;
const HEAD = 36;

const pieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
const sealed = (plain: Buffer): Promise<Buffer> =>
  gather(seal({ dataKey, context }, randomBytes(32), pieces(plain, 50_000)));
const opened = (bytes: Buffer, size = 7_001): Promise<Buffer> =>
  gather(open({ dataKey, context }, pieces(bytes, size)));

describe('a sealed file', () => {
  it.each([0, 1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME, 3 * FRAME + 5])(
    'of %i bytes opens',
    async (size) => {
      const plain = randomBytes(size);
      expect((await opened(await sealed(plain))).equals(plain)).toBe(true);
    },
  );

  it('opens however it is cut', async () => {
    const plain = randomBytes(2 * FRAME + 77);
    const file = await sealed(plain);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300_000 }), async (size) => {
        expect((await opened(file, size)).equals(plain)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('does not hold its content', async () => {
    const canary = 'canary-3f1c2a';
    expect((await sealed(Buffer.from(canary.repeat(1_000)))).includes(canary)).toBe(false);
  });

  it('is refused when any byte is changed', async () => {
    const file = await sealed(randomBytes(1_000));
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const damaged = Buffer.from(file);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        await expect(opened(damaged)).rejects.toBeInstanceOf(SealBrokenError);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused when it is cut short anywhere, at the end of a frame included', async () => {
    const file = await sealed(randomBytes(2 * FRAME + 100));
    const frameEnds = [HEAD, HEAD + FRAME + FRAME_OVERHEAD, HEAD + 2 * (FRAME + FRAME_OVERHEAD)];
    for (const length of [
      0,
      1,
      3,
      HEAD - 1,
      ...frameEnds,
      ...frameEnds.map((end) => end + 4),
      file.length - 1,
    ])
      await expect(opened(file.subarray(0, length))).rejects.toBeInstanceOf(SealBrokenError);
  });

  it('is refused when frames are swapped, repeated, dropped or added', async () => {
    const file = await sealed(randomBytes(3 * FRAME));
    const head = file.subarray(0, HEAD);
    const [a, b, c] = pieces(file.subarray(HEAD), FRAME + FRAME_OVERHEAD);
    if (!a || !b || !c) throw new Error('three frames were expected');
    for (const order of [[b, a, c], [a, a, c], [a, c], [a, b, c, c], [a, b], [c]])
      await expect(opened(Buffer.concat([head, ...order]))).rejects.toBeInstanceOf(SealBrokenError);
    const other = await sealed(randomBytes(3 * FRAME));
    const foreign = other.subarray(HEAD, HEAD + FRAME + FRAME_OVERHEAD);
    await expect(opened(Buffer.concat([head, foreign, b, c]))).rejects.toBeInstanceOf(SealBrokenError);
  });

  it('is refused under another key or context', async () => {
    const file = await sealed(Buffer.from('secret'));
    for (const wrong of [
      { dataKey: randomBytes(32), context },
      { dataKey, context: '7/7000000001/1/rows' },
    ])
      await expect(gather(open(wrong, [file]))).rejects.toBeInstanceOf(SealBrokenError);
  });
});
