/** SFTP upload: collects the bytes of a file on disk and stores them as one object at the end. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectCalls, Listed } from '../s3/direct.ts';
import type { ObjectCreated } from '../s3/store.ts';

/** Destination and start of an upload. */
export interface Destination {
  readonly bucket: string;
  readonly key: string;
  /** Start of the upload, in epoch milliseconds. */
  readonly started: number;
}

const COPIED_BYTES = 1024 * 1024;

/**
 * Begins an upload. The bytes collect in a file below `folder`, because clients may write them in any order. When a client
 * overwrites an object in place, the file starts with the bytes of `replaced`; otherwise the file starts empty.
 */
export const beginUpload = async (
  s3: Pick<DirectCalls, 'put' | 'range'>,
  folder: string,
  destination: Destination,
  replaced?: Listed,
) => {
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx');
  let size = 0;
  const write = async (offset: number, data: Buffer): Promise<void> => {
    for (let done = 0; done < data.length;) {
      const { bytesWritten } = await file.write(data, done, data.length - done, offset + done);
      done += bytesWritten;
    }
    size = Math.max(size, offset + data.length);
  };
  const copy = async (object: Listed): Promise<void> => {
    for (let at = 0; at < object.size; at += COPIED_BYTES) {
      const last = Math.min(at + COPIED_BYTES, object.size) - 1;
      await write(at, await s3.range(destination.bucket, object, at, last));
    }
  };
  try {
    if (replaced) await copy(replaced);
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  return {
    ...destination,
    /** Bytes up to the last one written. */
    size: (): number => size,
    /** Resolves once the bytes are on disk. The client waits for the answer, so memory stays bounded. */
    write,
    /** Truncates the file, or extends it with zeros, to this many bytes. */
    resize: async (bytes: number) => {
      await file.truncate(bytes);
      size = bytes;
    },
    /** Stores the bytes so far as an object, complete or not. */
    put: async (): Promise<ObjectCreated> => {
      try {
        await file.close();
        return await s3.put(destination.bucket, destination.key, createReadStream(path));
      } finally {
        await rm(path, { force: true });
      }
    },
  };
};

/** An upload that is not closed yet. */
export type Upload = Awaited<ReturnType<typeof beginUpload>>;
