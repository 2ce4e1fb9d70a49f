import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ExportPart } from '../../shared/exports/model/items.ts';
import { sealContext } from '../../shared/exports/model/work-keys.ts';
import { packRows } from '../../shared/exports/file/part-rows.ts';
import { partsAhead } from '../../shared/exports/file/read-parts.ts';
import { SALT_BYTES, seal } from '../../shared/exports/file/sealed-frames.ts';
import { gather } from '../../shared/runtime/bytes.ts';
import { ref } from './steps.ts';

const dataKey = new Uint8Array(32);
const END = '\n';
/** Longer than a frame, so that a stream goes on behind the first rows. */
const LINES = Array.from({ length: 4 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);

async function* rowsOf(shard: number) {
  await Promise.resolve();
  for (const line of LINES) yield [{ line: `${shard} ${line}`, extra: undefined }];
}

/** Three sealed parts in a store that notes which reads are open. */
const stored = async (broken = -1) => {
  const sealed = await Promise.all(
    [0, 1, 2].map((shard) => {
      const context = sealContext(ref, shard, 'rows');
      return gather(seal({ dataKey, context }, new Uint8Array(SALT_BYTES), packRows(rowsOf(shard), END)));
    }),
  );
  const [begun, open]: [number[], Set<number>] = [[], new Set()];
  async function* read(key: string) {
    const shard = Number(key);
    begun.push(shard);
    open.add(shard);
    try {
      await Promise.resolve();
      if (shard === broken) throw new Error('broken');
      for (let at = 0; at < (sealed[shard]?.length ?? 0); at += 50_000)
        yield sealed[shard]?.subarray(at, at + 50_000) ?? new Uint8Array();
    } finally {
      open.delete(shard);
    }
  }
  const parts = sealed.map((_, shard): ExportPart => ({
    ...{
      shard,
      key: String(shard),
      etag: '',
      rows: LINES.length,
      skipped: 0,
      keys_key: null,
      omitted_key: null,
    },
  }));
  const work = { read, get: () => Promise.resolve(undefined) };
  return { begun, open, parts: partsAhead({ work, dataKey, ref }, parts, END) };
};

describe('the parts of a job in order', () => {
  it('come whole, each while the next is on its way', async () => {
    const { begun, open, parts } = await stored();
    const lines: string[] = [];
    for await (const { part, batches } of parts) {
      for await (const batch of batches) {
        lines.push(...batch.lines.toString().split(END).slice(0, -1));
        expect(begun).toEqual([0, 1, 2].slice(0, part.shard + 2));
      }
    }
    expect(lines).toEqual([0, 1, 2].flatMap((shard) => LINES.map((line) => `${shard} ${line}`)));
    expect(open.size).toBe(0);
  });

  it('begin no read before somebody takes rows', async () => {
    const { begun, parts } = await stored();
    for await (const { part } of parts) if (part.shard === 1) break;
    expect(begun).toEqual([]);
  });

  it('leave no stream open when the caller stops', async () => {
    const { open, parts } = await stored();
    for await (const { batches } of parts) {
      for await (const batch of batches) if (batch.count > 0) break;
      expect(open.has(1)).toBe(true);
      break;
    }
    expect(open.size).toBe(0);
  });

  it('fail in their turn', async () => {
    const { parts } = await stored(1);
    const whole: number[] = [];
    const all = async () => {
      for await (const { part, batches } of parts) {
        for await (const { count } of batches) expect(count).toBeGreaterThan(0);
        // The read of the next part has failed by now, and nobody has asked for its rows.
        await setImmediate();
        whole.push(part.shard);
      }
    };
    await expect(all()).rejects.toThrow('broken');
    expect(whole).toEqual([0]);
  });
});
