import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gather } from '../../shared/runtime/bytes.ts';
import {
  packRows,
  type PackedRows,
  type PartRow,
  readExtra,
  unpackRows,
} from '../../shared/exports/file/part-rows.ts';

const row: fc.Arbitrary<PartRow> = fc.record({
  line: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '\r\n', 'é', '名', '𝒳') }),
    fc.constant('a long line; '.repeat(9_000)),
  ),
  extra: fc.option(
    fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double({ noNaN: true })), { minKeys: 1 }),
    { nil: undefined },
  ),
});

async function* inBatches(rows: readonly PartRow[], size: number): AsyncGenerator<readonly PartRow[]> {
  for (let from = 0; from < rows.length; from += size) {
    await Promise.resolve();
    yield rows.slice(from, from + size);
  }
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const unpacked = async (bytes: Buffer, size: number): Promise<readonly PackedRows[]> => {
  const batches: PackedRows[] = [];
  for await (const batch of unpackRows(cut(bytes, size), '\r\n')) batches.push(batch);
  return batches;
};

describe('rows of a part', () => {
  it('come back as they were, however they are batched and cut', async () => {
    const property = fc.asyncProperty(
      fc.array(row, { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 200_000 }),
      async (rows, batch, piece) => {
        const packed = await gather(packRows(inBatches(rows, batch), '\r\n'));
        const batches = await unpacked(packed, packed.length < 50_000 ? (piece % 100) + 1 : piece);
        const lines = rows.map(({ line }) => `${line}\r\n`).join('');
        expect(Buffer.concat(batches.map((one) => one.lines)).equals(Buffer.from(lines))).toBe(true);
        expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
        const back = batches.flatMap((one) => [...one.rows()]);
        expect(back.map(({ line }) => line.toString())).toEqual(
          rows.map(({ line }) => Buffer.from(line).toString()),
        );
        expect(back.map(({ extra }) => [...readExtra(extra)])).toEqual(
          rows.map(({ extra }) => Object.entries(extra ?? {}).map(([key, value]) => [key, asJson(value)])),
        );
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('are handed on in blocks, however many there are', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ line: `row ${index}`, extra: undefined }));
    const many = await gather(
      packRows(inBatches([...Array<PartRow[]>(5).fill(rows)].flat(), 25_000), '\r\n'),
    );
    const batches = await unpacked(many, 70_000);
    expect(batches.length).toBeGreaterThan(3);
    for (const { lines } of batches) expect(lines.length).toBeLessThan(66_000);
  });

  it('are handed on in small blocks, however much extra data short lines have', async () => {
    const rows = Array.from({ length: 60 }, () => ({ line: 'a', extra: { key: 'x'.repeat(100_000) } }));
    let blocks = 0;
    for await (const block of packRows(inBatches(rows, 7), '\r\n')) {
      blocks += 1;
      expect(block.length).toBeLessThan(200_000);
    }
    expect(blocks).toBe(60);
  });

  it('that end early are no rows', async () => {
    const rows = [
      { line: 'a line', extra: { key: 'value' } },
      { line: 'another', extra: undefined },
    ];
    const packed = await gather(packRows(inBatches(rows, 2), '\r\n'));
    for (let length = 1; length < packed.length; length += 1)
      await expect(unpacked(packed.subarray(0, length), 7)).rejects.toThrow('ends within');
    expect(await unpacked(packed.subarray(0, 0), 7)).toEqual([]);
  });
});

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
