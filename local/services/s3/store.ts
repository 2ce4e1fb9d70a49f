/** Store: buckets in memory, bytes in blobs, and every change in a journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { noJournal, openJournal } from '../../core/journal.ts';
import { ServiceError } from '../../core/service-error.ts';
import { openBlobs } from './blobs.ts';
import type { CorsRule } from './cors.ts';

const BlobShape = v.object({ file: v.string(), size: v.number() });
const Headers = v.record(v.string(), v.string());
const ObjectShape = v.object({
  key: v.string(),
  blobs: v.array(BlobShape),
  size: v.number(),
  /** With quotes, as in the header. */
  etag: v.string(),
  modified: v.number(),
  /** Content-Type, similar headers, and the x-amz-meta-* headers. Reads return them unchanged. */
  headers: Headers,
  /** The x-amz-checksum-* header of a single put. */
  checksum: v.optional(Headers, {}),
});
const PartShape = v.object({
  ...BlobShape.entries,
  number: v.number(),
  tag: v.string(),
  checksum: v.optional(Headers, {}),
});
const UploadShape = v.object({
  id: v.string(),
  key: v.string(),
  headers: Headers,
  /** The checksum algorithm that the upload was created with. */
  algorithm: v.optional(v.string()),
  /** When it began. Earlier versions did not keep it: their uploads begin when they are read. */
  started: v.optional(v.number(), () => Date.now()),
});

/** An object, a part of an upload, and an unfinished upload. */
export type StoredObject = Readonly<v.InferOutput<typeof ObjectShape>>;
export type StoredPart = Readonly<v.InferOutput<typeof PartShape>>;
export type Upload = Readonly<v.InferOutput<typeof UploadShape>> & {
  readonly parts: Map<number, StoredPart>;
};

/** A new object. `etag` has no quotes. */
export interface ObjectCreated {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly reason: 'PutObject' | 'CopyObject' | 'CompleteMultipartUpload';
}

/** Stores a complete object and publishes its event. */
export type Commit = (bucket: string, object: StoredObject, reason: ObjectCreated['reason']) => ObjectCreated;

const Change = v.variant('op', [
  v.object({ op: v.literal('put'), bucket: v.string(), object: ObjectShape }),
  v.object({ op: v.literal('delete'), bucket: v.string(), key: v.string() }),
  v.object({ op: v.literal('upload'), bucket: v.string(), upload: UploadShape }),
  v.object({ op: v.literal('part'), bucket: v.string(), id: v.string(), part: PartShape }),
  v.object({ op: v.literal('end'), bucket: v.string(), id: v.string() }),
]);
type Change = v.InferOutput<typeof Change>;

/** The objects and unfinished uploads of a bucket. */
export interface Bucket {
  readonly name: string;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, Upload>;
}

/** The account that owns a bucket, its region, and its rules of CORS. Calls to a bucket without a region may come from any. */
export interface BucketHome {
  readonly account: string;
  readonly region?: string;
  /** Whether the policy of the bucket admits every account. */
  readonly admitsAll?: boolean;
  readonly cors?: readonly CorsRule[];
}

/** Opens the store in a directory, by default in a temporary directory that `close` removes. */
export const openStore = (dataDir?: string) => {
  const root = dataDir ?? mkdtempSync(join(tmpdir(), 'embedded-s3-'));
  const blobs = openBlobs(join(root, 'blobs'));
  const buckets = new Map<string, Bucket>();
  const created = new Map<string, BucketHome>();
  const journal =
    dataDir === undefined
      ? noJournal
      : openJournal(join(root, 'objects.jsonl'), {
          replay: (entry) => apply(buckets, v.parse(Change, entry)),
          snapshot: () => snapshot(buckets),
        });
  blobs.keepOnly(filesOf(buckets));
  const change = (entry: Change) => {
    apply(buckets, entry);
    journal.append(entry);
  };
  const homeOf = (name: string): BucketHome => found(created.get(name));
  const bucketOf = (name: string): Bucket => found(created.has(name) ? ensure(buckets, name) : undefined);
  return {
    blobs,
    create: (name: string, home: BucketHome) => void created.set(name, { cors: [], ...home }),
    /** The rules of CORS of a bucket; `undefined` without a bucket. */
    corsOf: (name: string) => created.get(name)?.cors,
    /** Throws NoSuchBucket. */
    homeOf,
    /** Throws NoSuchBucket. */
    bucket: bucketOf,
    put: (bucket: string, object: StoredObject) => {
      const replaced = bucketOf(bucket).objects.get(object.key);
      change({ op: 'put', bucket, object });
      if (replaced) blobs.remove(replaced.blobs);
    },
    delete: (bucket: string, key: string) => {
      const removed = bucketOf(bucket).objects.get(key);
      if (!removed) return;
      change({ op: 'delete', bucket, key });
      blobs.remove(removed.blobs);
    },
    startUpload: (bucket: string, upload: Omit<Upload, 'parts'>) => change({ op: 'upload', bucket, upload }),
    /** Throws NoSuchUpload when the upload has ended meanwhile, and removes the bytes of the part. */
    addPart: (bucket: string, id: string, part: StoredPart) => {
      const upload = bucketOf(bucket).uploads.get(id);
      if (!upload) {
        blobs.remove([part]);
        throw new ServiceError('NoSuchUpload', 'The specified upload does not exist.', 404);
      }
      const replaced = upload.parts.get(part.number);
      change({ op: 'part', bucket, id, part });
      if (replaced) blobs.remove([replaced]);
    },
    /** Ends an upload and keeps the bytes of these parts. */
    endUpload: (bucket: string, id: string, kept: readonly StoredPart[]) => {
      const parts = [...(bucketOf(bucket).uploads.get(id)?.parts.values() ?? [])];
      change({ op: 'end', bucket, id });
      blobs.remove(parts.filter((part) => !kept.includes(part)));
    },
    close: () => {
      journal.close();
      if (dataDir === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
};

/** Buckets in memory, bytes in blobs, and every change in the journal. */
export type Store = ReturnType<typeof openStore>;

const found = <T>(bucket: T | undefined): T => {
  if (bucket !== undefined) return bucket;
  throw new ServiceError('NoSuchBucket', 'The specified bucket does not exist', 404);
};

const ensure = (buckets: Map<string, Bucket>, name: string): Bucket => {
  const bucket = buckets.get(name) ?? { name, objects: new Map(), uploads: new Map() };
  buckets.set(name, bucket);
  return bucket;
};

const apply = (buckets: Map<string, Bucket>, change: Change): void => {
  const bucket = ensure(buckets, change.bucket);
  switch (change.op) {
    case 'put':
      bucket.objects.set(change.object.key, change.object);
      return;
    case 'delete':
      bucket.objects.delete(change.key);
      return;
    case 'upload':
      bucket.uploads.set(change.upload.id, { ...change.upload, parts: new Map() });
      return;
    case 'part':
      bucket.uploads.get(change.id)?.parts.set(change.part.number, change.part);
      return;
    case 'end':
      bucket.uploads.delete(change.id);
  }
};

const snapshot = (buckets: ReadonlyMap<string, Bucket>): Change[] =>
  [...buckets.values()].flatMap(({ name, objects, uploads }) => [
    ...[...objects.values()].map((object): Change => ({ op: 'put', bucket: name, object })),
    ...[...uploads.values()].flatMap(({ parts, ...upload }): Change[] => [
      { op: 'upload', bucket: name, upload },
      ...[...parts.values()].map((part): Change => ({ op: 'part', bucket: name, id: upload.id, part })),
    ]),
  ]);

const filesOf = (buckets: ReadonlyMap<string, Bucket>): Set<string> => {
  const files = new Set<string>();
  for (const { objects, uploads } of buckets.values()) {
    for (const { blobs } of objects.values()) for (const { file } of blobs) files.add(file);
    for (const { parts } of uploads.values()) for (const { file } of parts.values()) files.add(file);
  }
  return files;
};
