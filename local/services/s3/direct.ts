import { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.ts';
import { sortedKeys } from './listing.ts';
import { findObject, objectOf } from './objects.ts';
import type { Commit, ObjectCreated, Store, StoredObject } from './store.ts';

/** An object in a listing. `modified` is in epoch milliseconds. */
export type Listed = Pick<StoredObject, 'key' | 'size' | 'etag' | 'modified'>;

/** Builds the direct calls on a store. */
export const directCalls = (store: Store, commit: Commit) => ({
  put: async (bucket: string, key: string, body: Readable | Buffer): Promise<ObjectCreated> => {
    store.bucket(bucket);
    const blob = await store.blobs.write(Buffer.isBuffer(body) ? Readable.from([body]) : body, []);
    return commit(bucket, objectOf(key, blob, plain), 'PutObject');
  },
  get: async (bucket: string, key: string): Promise<Buffer | undefined> => {
    const object = store.bucket(bucket).objects.get(key);
    return object && read(store, object, 0, object.size - 1);
  },
  /** Keys in S3's order. */
  list: (bucket: string, prefix: string = ''): readonly string[] => sortedKeys(store.bucket(bucket), prefix),
  find: (bucket: string, key: string): Listed | undefined => store.bucket(bucket).objects.get(key),
  /** Bytes `from` to `to`, inclusive. Throws when another version has replaced the object. */
  range: async (bucket: string, version: Listed, from: number, to: number): Promise<Buffer> => {
    const object = findObject(store, bucket, version.key);
    if (object.etag !== version.etag)
      throw new ServiceError('PreconditionFailed', 'The object was replaced', 412);
    return read(store, object, from, to);
  },
  copy: async (bucket: string, from: string, to: string): Promise<ObjectCreated> => {
    const source = findObject(store, bucket, from);
    const blob = await store.blobs.write(store.blobs.read(source.blobs, 0, source.size - 1), []);
    return commit(bucket, objectOf(to, blob, source.headers), 'CopyObject');
  },
  remove: (bucket: string, key: string) => store.delete(bucket, key),
});

/** Calls of parts in this process, without HTTP. The calls check no permissions; the calling part must check them. */
export type DirectCalls = ReturnType<typeof directCalls>;

const plain = { 'content-type': 'application/octet-stream' };

const read = async (store: Store, object: StoredObject, from: number, to: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const piece of store.blobs.read(object.blobs, from, to))
    if (Buffer.isBuffer(piece)) chunks.push(piece);

  return Buffer.concat(chunks);
};
