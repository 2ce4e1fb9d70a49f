/** Blobs: files with the bytes of objects, for the store. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Digest } from './checksums.ts';

/** A file of the store and the number of its bytes. */
interface Blob {
  readonly file: string;
  readonly size: number;
}

/** A new blob. */
export interface WrittenBlob extends Blob {
  /** MD5 of the bytes in hexadecimal, for the check of `Content-MD5`. */
  readonly md5: string;
  /**
   * A random tag in hexadecimal. For objects encrypted with a KMS key, the ETag of S3 does not derive from the bytes
   * either.
   */
  readonly tag: string;
}

/** Opens a directory of blobs. */
export const openBlobs = (directory: string) => {
  mkdirSync(directory, { recursive: true });
  const pathOf = (file: string) => join(directory, file);
  const readers = new Map<string, number>();
  const dead = new Set<string>();
  const drop = (file: string) => {
    dead.delete(file);
    rmSync(pathOf(file), { force: true });
  };
  const retain = (file: string, by: 1 | -1) => {
    const count = (readers.get(file) ?? 0) + by;
    if (count > 0) readers.set(file, count);
    else readers.delete(file);
    if (count === 0 && dead.has(file)) drop(file);
  };
  return {
    write: (source: AsyncIterable<unknown>, digests: readonly Digest[]): Promise<WrittenBlob> =>
      writeBlob(pathOf, source, digests),
    /** Bytes `start` to `end` (inclusive) of the concatenated blobs. */
    read: (blobs: readonly Blob[], start: number, end: number): Readable => {
      for (const { file } of blobs) retain(file, 1);
      const stream = Readable.from(pieces(pathOf, blobs, start, end), { objectMode: false });
      stream.once('close', () => {
        for (const { file } of blobs) retain(file, -1);
      });
      return stream;
    },
    remove: (blobs: readonly Blob[]) => {
      for (const { file } of blobs) {
        if (readers.has(file)) dead.add(file);
        else drop(file);
      }
    },
    /** Removes all other files: leftovers of a process that ended during a write. */
    keepOnly: (files: ReadonlySet<string>) => {
      for (const file of readdirSync(directory)) if (!files.has(file)) rmSync(pathOf(file), { force: true });
    },
  };
};

/** Files that are written once and read in ranges. The last reader of a removed file deletes it. */
export type Blobs = ReturnType<typeof openBlobs>;

type PathOf = (file: string) => string;

const writeBlob = async (
  pathOf: PathOf,
  source: AsyncIterable<unknown>,
  digests: readonly Digest[],
): Promise<WrittenBlob> => {
  const file = randomUUID();
  const handle = await open(pathOf(file), 'wx');
  const md5 = createHash('md5');
  let size = 0;
  try {
    for await (const piece of source) {
      if (!Buffer.isBuffer(piece)) throw new TypeError('A body must be bytes');
      size += piece.length;
      md5.update(piece);
      for (const digest of digests) digest.update(piece);
      await handle.writeFile(piece);
    }
  } catch (error) {
    await rm(pathOf(file), { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { file, size, md5: md5.digest('hex'), tag: randomUUID().replaceAll('-', '') };
};

async function* pieces(pathOf: PathOf, blobs: readonly Blob[], start: number, end: number): AsyncGenerator {
  let offset = 0;
  for (const { file, size } of blobs) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, size - 1);
    offset += size;
    if (from <= to)
      yield* createReadStream(pathOf(file), { start: from, end: to, highWaterMark: 256 * 1024 });
  }
}
