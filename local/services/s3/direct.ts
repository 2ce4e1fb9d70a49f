import { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.ts';
import { sortedKeys } from './listing.ts';
import { findObject, objectOf } from './objects.ts';
import type { Commit, ObjectCreated, Store, StoredObject } from './store.ts';

/** An object in a listing. `modified` is in epoch milliseconds. */
export type Listed = Pick<StoredObject, 'key' | 'size' | 'etag' | 'modified'>;

/** Calls of parts in this process, without HTTP. The calls check no permissions; the calling part must check them. */
export interface DirectCalls {
  put(bucket: string, key: string, body: Readable | Buffer): Promise<ObjectCreated>;
  get(bucket: string, key: string): Promise<Buffer | undefined>;
  /** Keys in S3's order. */
  list(bucket: string, prefix?: string): readonly string[];
  find(bucket: string, key: string): Listed | undefined;
  /** Bytes `from` to `to`, inclusive. Throws when another version has replaced the object. */
  range(bucket: string, version: Listed, from: number, to: number): Promise<Buffer>;
  copy(bucket: string, from: string, to: string): Promise<ObjectCreated>;
  remove(bucket: string, key: string): void;
}

/** Builds the direct calls on a store. */
export const directCalls = (store: Store, commit: Commit): DirectCalls => ({
  put: async (bucket, key, body) => {
    store.bucket(bucket);
    const blob = await store.blobs.write(Buffer.isBuffer(body) ? Readable.from([body]) : body, []);
    return commit(bucket, objectOf(key, blob, plain), 'PutObject');
  },
  get: async (bucket, key) => {
    const object = store.bucket(bucket).objects.get(key);
    return object && read(store, object, 0, object.size - 1);
  },
  list: (bucket, prefix = '') => sortedKeys(store.bucket(bucket), prefix),
  find: (bucket, key) => store.bucket(bucket).objects.get(key),
  range: async (bucket, version, from, to) => {
    const object = findObject(store, bucket, version.key);
    if (object.etag !== version.etag)
      throw new ServiceError('PreconditionFailed', 'The object was replaced', 412);
    return read(store, object, from, to);
  },
  copy: async (bucket, from, to) => {
    const source = findObject(store, bucket, from);
    const blob = await store.blobs.write(store.blobs.read(source.blobs, 0, source.size - 1), []);
    return commit(bucket, objectOf(to, blob, source.headers), 'CopyObject');
  },
  remove: (bucket, key) => store.delete(bucket, key),
});

const plain = { 'content-type': 'application/octet-stream' };

const read = async (store: Store, object: StoredObject, from: number, to: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const piece of store.blobs.read(object.blobs, from, to))
    if (Buffer.isBuffer(piece)) chunks.push(piece);

  return Buffer.concat(chunks);
};
