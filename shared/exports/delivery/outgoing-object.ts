/** Outgoing object: uploads the file of a job to a bucket, in parts that a later attempt continues. */
import { limits } from '../../config/limits.ts';
import { gather } from '../../runtime/bytes.ts';
import { mapAhead } from '../../runtime/map-ahead.ts';
import type { ClientBucket, UploadedPart } from '../../runtime/ports.ts';

const MEGABYTE = 1_048_576;

/** S3's limit for the parts of one object. */
const MOST_PARTS = 10_000;

/** A file on its way to a bucket. */
export interface OutgoingObject {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Streams the bytes from `from` to before `to`. */
  readonly read: (from: number, to: number) => AsyncIterable<Uint8Array>;
  /** Whether a newer file has the key. Asked before this file appears, because it would replace that file. */
  readonly isSuperseded: () => Promise<boolean>;
}

/** The upload of a file, which its attempts share. */
export interface SharedUpload {
  /** The upload that was begun and not yet completed. */
  readonly current: () => string | undefined;
  /** Remembers an upload before its first part, so that a later attempt continues it. */
  readonly remember: (upload: string) => Promise<void>;
  readonly forget: (upload: string) => Promise<void>;
}

/**
 * The end of an attempt. `paused`: its time is over, and a later attempt continues. `gone`: somebody discarded the
 * upload while it was under way, and a later attempt begins anew. `superseded`: a newer file has the key; the upload is
 * still to be discarded.
 */
export type ObjectOutcome = 'sent' | 'paused' | 'gone' | 'superseded';

/** Bytes of each part of a file but the last. */
const partBytesOf = (bytes: number): number =>
  Math.max(limits.exports.objectPartBytes, Math.ceil(bytes / MOST_PARTS / MEGABYTE) * MEGABYTE);

/**
 * Uploads a file until `isOver`. The bucket shows the object only when all of it is there. Throws `BucketRefusedError`
 * of the bucket, and the errors of `read` and `isSuperseded`.
 */
export const sendObject = async (
  bucket: ClientBucket,
  object: OutgoingObject,
  upload: SharedUpload,
  isOver: () => boolean,
): Promise<ObjectOutcome> => {
  const { key, bytes, contentType } = object;
  if (bytes === 0) {
    if (await object.isSuperseded()) return 'superseded';
    // An upload has at least one part, and a part has at least one byte.
    await bucket.put(key, new Uint8Array(), { contentType });
    return 'sent';
  }
  const earlier = upload.current();
  const resumed =
    earlier === undefined ? 'gone' : await sendIn(bucket, object, { upload, id: earlier }, isOver);
  if (resumed !== 'gone') return resumed;
  // No attempt has begun an upload; or an attempt completed it and died, or its bucket has discarded it.
  const id = await begin(bucket, object, upload);
  return sendIn(bucket, object, { upload, id }, isOver);
};

/** Sends what an upload lacks, and forgets the upload at its end. */
const sendIn = async (
  bucket: ClientBucket,
  object: OutgoingObject,
  { upload, id }: { readonly upload: SharedUpload; readonly id: string },
  isOver: () => boolean,
): Promise<ObjectOutcome> => {
  const outcome = await sendParts(bucket, object, id, isOver);
  if (outcome === 'sent' || outcome === 'gone') await upload.forget(id);
  return outcome;
};

const begin = async (
  { parts }: ClientBucket,
  { key, contentType }: OutgoingObject,
  upload: SharedUpload,
): Promise<string> => {
  const id = await parts.begin(key, { checked: true, contentType });
  await upload.remember(id);
  return id;
};

const sendParts = async (
  { parts }: ClientBucket,
  object: OutgoingObject,
  id: string,
  isOver: () => boolean,
): Promise<ObjectOutcome> => {
  const stored = await parts.list(object.key, id);
  if (!stored) return 'gone';
  const done = new Map(stored.map((part) => [part.part, part]));
  const missing = rangesOf(object.bytes).filter(({ part, size }) => done.get(part)?.size !== size);
  const begun: Promise<UploadedPart | 'late' | undefined>[] = [];
  const send = (range: PartRange): Promise<UploadedPart | 'late' | undefined> => {
    const sent = isOver() ? Promise.resolve('late' as const) : sendPart(parts, object, id, range);
    begun.push(sent);
    return sent;
  };
  try {
    for await (const sent of mapAhead(missing, limits.exports.objectPartsAtOnce, send)) {
      if (sent === undefined) return 'gone';
      if (sent === 'late') return 'paused';
      done.set(sent.part, sent);
    }
  } finally {
    // A part that is still under way could arrive after the upload was discarded.
    await Promise.allSettled(begun);
  }
  if (await object.isSuperseded()) return 'superseded';
  const whole = [...done.values()].toSorted((one, other) => one.part - other.part);
  return (await parts.complete(object.key, id, whole)) === undefined ? 'gone' : 'sent';
};

const sendPart = async (
  parts: ClientBucket['parts'],
  { key, read }: OutgoingObject,
  upload: string,
  { part, from, size }: PartRange,
): Promise<UploadedPart | undefined> => {
  const body = await gather(read(from, from + size));
  return parts.put(key, { upload, part, body });
};

interface PartRange {
  readonly part: number;
  readonly from: number;
  readonly size: number;
}

const rangesOf = (bytes: number): readonly PartRange[] => {
  const size = partBytesOf(bytes);
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => {
    const from = index * size;
    return { part: index + 1, from, size: Math.min(size, bytes - from) };
  });
};
