/** Read version: streams the bytes of one version of a file, even after a client has sent the same bytes again. */
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';
import type { StoredObject } from '../items/import-job.ts';

/** The reads that `readVersion` needs. */
export type VersionStore = Pick<ObjectStore, 'head' | 'read'>;

/** A range of bytes, both ends inclusive. */
interface ByteRange {
  readonly from?: number;
  readonly to?: number;
}

/** Number of replacements by the same bytes that one read survives. */
const MOST_REPLACEMENTS = 5;

/**
 * Streams a range of a version. A client may send a file again over SFTP, for example when the connection broke after
 * the last byte. The object then has another ETag. If its size and its stored checksum are the same, so are its bytes,
 * and the stream continues with the new object behind the last delivered byte. Throws `ObjectChangedError` when the
 * object is gone or has other bytes.
 */
export async function* readVersion(
  store: VersionStore,
  object: StoredObject,
  { from = 0, to }: ByteRange = {},
): AsyncGenerator<Uint8Array> {
  let { etag } = object;
  let position = from;
  for (let replacements = 0; to === undefined || position <= to; replacements += 1) {
    const range = { etag, from: position, ...(to === undefined ? {} : { to }) };
    try {
      for await (const piece of store.read(object.key, range)) {
        position += piece.byteLength;
        yield piece;
      }
      return;
    } catch (error) {
      if (!(error instanceof ObjectChangedError) || replacements === MOST_REPLACEMENTS) throw error;
      const same = await sameBytes(store, object);
      if (same === undefined) throw error;
      etag = same;
    }
  }
}

/** Reads the first bytes of a version, at most `most`. Throws as `readVersion` does. */
export const readFirst = async (store: VersionStore, object: StoredObject, most: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  const to = Math.min(object.size, most) - 1;
  if (to >= 0) for await (const part of readVersion(store, object, { from: 0, to })) parts.push(part);
  return Buffer.concat(parts);
};

/** The ETag of the present object, if it has the bytes of this version. */
const sameBytes = async (
  store: VersionStore,
  { key, size, checksum }: StoredObject,
): Promise<string | undefined> => {
  const present = checksum === null ? undefined : await store.head(key);
  return present?.checksum === checksum && present.size === size ? present.etag : undefined;
};
