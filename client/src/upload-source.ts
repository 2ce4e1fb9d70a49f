/** The bytes of a file to upload. */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileChangedError } from './upload-error.ts';

/**
 * A file to upload: its path, or its content.
 * @public
 */
export type UploadSource = string | Blob | Uint8Array;

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
    const state = await stat(source);
    if (!state.isFile()) throw new Error(`${source} is no file.`);
    const read = (offset: number, length: number): AsyncIterable<Uint8Array> =>
      fileBytes(source, state, { offset, length });
    return { name: basename(source), size: state.size, read };
  }
  const name = source instanceof File ? source.name : undefined;
  return source instanceof Blob
    ? { name, size: source.size, read: (offset, length) => source.slice(offset, offset + length).stream() }
    : { name, size: source.length, read: (offset, length) => pieces(source, offset, length) };
};

/** A range of a file. Throws `FileChangedError` before the end of the range if the file has changed since `state`. */
async function* fileBytes(
  path: string,
  state: Stats,
  { offset, length }: { readonly offset: number; readonly length: number },
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  let left = length;
  for await (const chunk of createReadStream(path, { start: offset, end: offset + length - 1 })) {
    if (!Buffer.isBuffer(chunk)) continue;
    left -= chunk.length;
    // The store takes a part only with its last bytes, so these wait for the check.
    if (left === 0 && !isSame(state, await stat(path))) throw new FileChangedError();
    yield chunk;
  }
  if (left > 0) throw new FileChangedError();
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

async function* pieces(bytes: Uint8Array, offset: number, length: number): AsyncGenerator<Uint8Array> {
  for (let start = offset; start < offset + length; start += PIECE_BYTES)
    yield await Promise.resolve(bytes.subarray(start, Math.min(start + PIECE_BYTES, offset + length)));
}
