import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectCalls } from '../s3/direct.ts';
import type { ObjectCreated } from '../s3/s3.ts';

/** A file on its way in. */
export interface Upload {
  readonly bucket: string;
  readonly key: string;
  /** When it was begun, in epoch milliseconds. */
  readonly started: number;
  /** Bytes up to the last one written. */
  size(): number;
  /** Resolves once the bytes are on disk: a client waits for that, so memory stays bounded. */
  write(offset: number, data: Buffer): Promise<void>;
  /** Puts what has come as an object, whole or not. */
  put(): Promise<ObjectCreated>;
}

/** Where an upload goes. */
export interface Destination {
  readonly bucket: string;
  readonly key: string;
  readonly started: number;
}

/** Begins an upload. Its bytes wait in a file below `folder`, since clients may write them in any order. */
export const beginUpload = async (
  s3: Pick<DirectCalls, 'put'>,
  folder: string,
  destination: Destination,
): Promise<Upload> => {
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx');
  let size = 0;
  return {
    ...destination,
    size: () => size,
    write: async (offset, data) => {
      for (let done = 0; done < data.length;) {
        const { bytesWritten } = await file.write(data, done, data.length - done, offset + done);
        done += bytesWritten;
      }
      size = Math.max(size, offset + data.length);
    },
    put: async () => {
      try {
        await file.close();
        return await s3.put(destination.bucket, destination.key, createReadStream(path));
      } finally {
        await rm(path, { force: true });
      }
    },
  };
};
