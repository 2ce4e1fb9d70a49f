/** The bytes of a file to upload. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** A file to upload: its path, or its content. */
export type UploadSource = string | Blob | Uint8Array<ArrayBuffer>;

/** A file whose size is known and whose ranges can be read again. */
export interface OpenSource {
  /** The name of the file, if it has one. */
  readonly name: string | undefined;
  readonly size: number;
  read(offset: number, size: number): AsyncIterable<Uint8Array>;
}

/** Content in memory goes out in pieces of this size, so that progress is visible. */
const PIECE_BYTES = 65_536;

/** Opens a source. Throws the error of the file system when there is no such file. */
export const openSource = async (source: UploadSource): Promise<OpenSource> => {
  if (typeof source === 'string') {
    const { size } = await stat(source);
    return { name: basename(source), size, read: (offset, length) => fileBytes(source, offset, length) };
  }
  const name = source instanceof File ? source.name : undefined;
  return source instanceof Blob
    ? { name, size: source.size, read: (offset, length) => source.slice(offset, offset + length).stream() }
    : { name, size: source.length, read: (offset, length) => pieces(source, offset, length) };
};

async function* fileBytes(path: string, offset: number, length: number): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  for await (const chunk of createReadStream(path, { start: offset, end: offset + length - 1 }))
    if (Buffer.isBuffer(chunk)) yield chunk;
}

async function* pieces(bytes: Uint8Array, offset: number, length: number): AsyncGenerator<Uint8Array> {
  for (let start = offset; start < offset + length; start += PIECE_BYTES)
    yield await Promise.resolve(bytes.subarray(start, Math.min(start + PIECE_BYTES, offset + length)));
}
