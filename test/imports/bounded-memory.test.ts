import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { expandFile } from '../../shared/imports/files/expand-file.ts';
import type { StoredObject } from '../../shared/imports/items/import-job.ts';
import { withDefinition } from './import-harness.ts';

const MB = 1_000_000;

/** Limit of the memory that reading a file may add: far less than the size of the files. */
const MOST = 150 * MB;
const FILL = 200 * MB;
const PIECE = Buffer.alloc(65_536, 'x');

/** Heap and buffers taken at most while `work` reads, which tells of every piece. */
const memoryOf = async (work: (look: () => void) => Promise<void>): Promise<number> => {
  const taken = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = taken();
  let most = before;
  await work(() => (most = Math.max(most, taken())));
  return most - before;
};

/** An object that is never in memory: each read makes its bytes, in fresh pieces as from a socket. */
const madeAs = (head: string, fill: number, tail: string) => {
  const [first, last] = [Buffer.from(head), Buffer.from(tail)];
  const size = first.length + fill + last.length;
  const byteAt = (at: number, end: number): Buffer => {
    if (at < first.length) return first.subarray(at, end);
    if (at < first.length + fill)
      return Buffer.from(PIECE.subarray(0, Math.min(end, first.length + fill) - at));
    return last.subarray(at - first.length - fill, end - first.length - fill);
  };
  return {
    size,
    async *read(look: () => void, from = 0, to = size - 1): AsyncGenerator<Uint8Array> {
      for (let at = from; at <= to;) {
        const piece = byteAt(at, Math.min(at + PIECE.length, to + 1));
        at += piece.length;
        look();
        yield await Promise.resolve(piece);
      }
    },
  };
};

/** Imports a file that is made while it is read; returns its job, its errors and the memory that it used. */
const run = async (file: ReturnType<typeof madeAs>) => {
  const { harness, id } = await withDefinition();
  const { reference, job } = await harness.upload(id, 'email,first_name\n');
  const seen = await harness.deps.imports.job(7, job);
  if (!seen?.file?.object) throw new Error('no file');
  const object = { ...seen.file.object, size: file.size };
  await harness.deps.imports.updateJob(seen, { file: { ...seen.file, object } });
  let look = (): void => undefined;
  harness.uploads.read = (_key, { from, to }) => file.read(look, from, to);
  const taken = await memoryOf(async (looking) => {
    look = looking;
    if ((await harness.inspectFile(reference)).status !== 'ok') return;
    await harness.cut(reference);
    await harness.workOff();
  });
  const { errors } = await harness.readErrors(id, job);
  return { taken, job: await harness.readJob(id, job), errors };
};

describe('a file takes bounded memory', () => {
  it('with a cell of 200 MB: its row is refused unread, the others land', async () => {
    const header = 'email,first_name\na@x.org,A\nhuge@x.org,"';
    const { taken, job, errors } = await run(madeAs(header, FILL, '"\nb@x.org,B\n'));
    expect(job.counts).toMatchObject({ ingested: 3, completed: 2, unserializable: 1 });
    expect(errors).toMatchObject([{ row: 2, line: 3, code: 'row_too_large' }]);
    expect(taken).toBeLessThan(MOST);
  });

  it('with a quote that is never closed, 200 MB before its end: the row before it lands', async () => {
    const { taken, job } = await run(madeAs('email,first_name\na@x.org,A\nb@x.org,"', FILL, '\n'));
    expect(job).toMatchObject({ counts: { completed: 1 }, failure: { code: 'open_quote', line: 3 } });
    expect(taken).toBeLessThan(MOST);
  });

  it('with a header of 200 MB: the file fails unread', async () => {
    const { taken, job } = await run(madeAs('email,first_name,', FILL, '\na@x.org,A\n'));
    expect(job.failure?.code).toBe('header_too_large');
    expect(taken).toBeLessThan(MOST);
  });

  it('that expands beyond what is allowed: it is not expanded further', async () => {
    const bombed: StoredObject = {
      bucket: 'uploads',
      key: 'bomb',
      etag: '"e"',
      size: MB / 2,
      checksum: null,
    };
    const { harness, id } = await withDefinition();
    const { job: made } = await harness.upload(id, 'x');
    const job = await harness.deps.imports.job(7, made);
    if (!job) throw new Error('no job');
    let stored = 0;
    const taken = await memoryOf(async (look) => {
      const bomb = Readable.from(madeAs('', 1_000 * MB, '').read(() => undefined)).pipe(createGzip());
      const store = {
        putStream: async (_key: string, body: AsyncIterable<Uint8Array>) => {
          for await (const piece of body) {
            stored += piece.length;
            look();
          }
          return { size: stored, etag: '"e"' };
        },
      };
      const expanded = await expandFile(
        {
          ...harness.deps,
          uploads: { head: () => Promise.resolve(undefined), read: () => bomb },
          work: store,
        },
        job,
        bombed,
      );
      expect(expanded).toMatchObject({ ok: false, error: { code: 'expands_too_far' } });
    });
    expect(stored).toBeLessThanOrEqual(100 * MB);
    expect(taken).toBeLessThan(MOST);
  });
});
