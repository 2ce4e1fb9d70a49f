/** Ports: the interfaces through which rules and use cases reach AWS and the network. The adapters are in this folder. */

/** Facts of a stored object. */
export interface ObjectInfo {
  readonly size: number;
  /** Entity tag as S3 gives it, quotes included. */
  readonly etag: string;
}

/** Facts of the current version of an object. */
export interface PresentObject extends ObjectInfo {
  /** Time of the upload in epoch milliseconds; S3 has whole seconds, and for a multipart upload the time of its begin. */
  readonly modified: number;
  /**
   * The checksum that S3 stores with the object, with the name of its algorithm. Equal checksums and sizes mean equal
   * bytes; the ETag of an object that a KMS key encrypts says nothing about the bytes. `null` when S3 stores none.
   */
  readonly checksum: string | null;
}

/** An object in a listing. */
export interface ListedObject extends ObjectInfo {
  readonly key: string;
  /** As in `PresentObject`. */
  readonly modified: number;
}

/** An object store of one bucket. Callers build keys from ids, never from user text. */
export interface ObjectStore {
  /** Stores a whole object, in place of an earlier one. */
  put(key: string, body: Uint8Array | string, options?: { contentType?: string }): Promise<ObjectInfo>;
  /**
   * Streams an object of unknown length as a multipart upload, in bounded memory; stores no object when the
   * source fails.
   */
  putStream(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<ObjectInfo>;
  head(key: string): Promise<PresentObject | undefined>;
  /** Keys of all objects below a folder, which ends in a slash. */
  list(folder: string): Promise<readonly string[]>;
  /** Up to 1,000 objects below a folder, in the order of their keys, after a key. An empty list ends the folder. */
  listAfter(folder: string, after: string): Promise<readonly ListedObject[]>;
  /** Removes an object; a missing object is a success. */
  remove(key: string): Promise<void>;
  /** Removes an object that still has `etag`. Returns whether it did: another object under the key stays. */
  removeVersion(key: string, etag: string): Promise<boolean>;
  /** The whole object; `undefined` when there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Streams bytes `from`..`to` (inclusive, to the end when absent). Every read carries `If-Match`: throws
   * `ObjectChangedError` when the object no longer has `etag`.
   */
  read(key: string, options: { etag: string; from?: number; to?: number }): AsyncIterable<Uint8Array>;
  /**
   * A pre-signed address for an upload, with the headers that the client must send. It takes one object: a
   * second PUT is refused (412), so a client that repeats a PUT after a lost answer does no harm.
   */
  presignPut(
    key: string,
    options: { seconds: number; size: number },
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** A pre-signed address for a download, under the given file name. */
  presignGet(key: string, options: { seconds: number; fileName: string }): Promise<string>;
}

/** A part of an upload as stored. */
export interface UploadedPart {
  /** From 1. */
  readonly part: number;
  readonly etag: string;
  readonly size: number;
  /** CRC-32 in base64, of a part that the service uploaded itself. */
  readonly crc32?: string;
}

/**
 * Multipart uploads: by clients that hold the signed addresses, and by the service itself (`put`). An upload that
 * nobody completes is discarded.
 */
export interface PartUploads {
  /**
   * Begins an upload and returns its id. With `checked`, the service uploads the parts itself, with checksums (`put`);
   * without it, clients do, with signed addresses (`presign`). S3 refuses parts of the other kind.
   */
  begin(key: string, options?: { checked?: boolean; contentType?: string }): Promise<string>;
  /** A pre-signed address for one part of exactly this size. */
  presign(
    key: string,
    options: { upload: string; part: number; size: number; seconds: number },
  ): Promise<string>;
  /**
   * Stores one part; the same part number replaces the earlier part. `undefined` when the upload was completed or
   * discarded.
   */
  put(
    key: string,
    options: { upload: string; part: number; body: Uint8Array },
  ): Promise<UploadedPart | undefined>;
  /** The stored parts; `undefined` when the upload was completed or discarded. */
  list(key: string, upload: string): Promise<readonly UploadedPart[] | undefined>;
  /**
   * Builds the object from these parts, and returns its entity tag; `undefined` when the upload was completed or
   * discarded before.
   */
  complete(key: string, upload: string, parts: readonly UploadedPart[]): Promise<string | undefined>;
  /** Discards an upload with its parts; an upload that is gone is a success. */
  abort(key: string, upload: string): Promise<void>;
}

/** The bucket of a client, and the role that opens it. */
export interface ClientBucketRef {
  readonly bucket: string;
  readonly region: string;
  readonly role_arn: string;
  readonly external_id: string;
}

/**
 * Why the bucket of a client cannot be used.
 *
 * `role_refused`: the role does not let the service assume it. `role_unguarded`: the role lets the service assume it
 * under any external id, so other clients of the service could use it. `access_denied`: the bucket or the role refused
 * a call for a missing permission. `refused`: AWS refused a call for another reason, such as a disabled key.
 * `no_bucket`, `other_region`: the bucket is not where the client said. `unavailable`: AWS failed or did not answer.
 */
export type BucketFault =
  | 'role_refused'
  | 'role_unguarded'
  | 'access_denied'
  | 'refused'
  | 'no_bucket'
  | 'other_region'
  | 'unavailable';

/** The bucket of a client refused a call. */
export class BucketRefusedError extends Error {
  override readonly name = 'BucketRefusedError';
  readonly fault: BucketFault;

  constructor(fault: BucketFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

/** The open bucket of a client. Methods throw `BucketRefusedError`. */
export interface ClientBucket {
  put(key: string, body: Uint8Array, options: { contentType: string }): Promise<ObjectInfo>;
  remove(key: string): Promise<void>;
  readonly parts: Pick<PartUploads, 'begin' | 'put' | 'list' | 'complete' | 'abort'>;
  close(): void;
}

/** Opens the bucket of a client by its role, for an hour at most. Throws `BucketRefusedError`. */
export type OpenClientBucket = (ref: ClientBucketRef, session: string) => Promise<ClientBucket>;

/** The object was replaced or deleted while it was read. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
}

/** A queue. Bodies are JSON with a schema version. */
export interface Queue {
  send(messages: readonly QueueMessage[]): Promise<void>;
}

/**
 * A message. A FIFO queue orders the messages of a group; a standard queue shares its consumers fairly between
 * groups. Only FIFO queues take a deduplication id.
 */
export interface QueueMessage {
  readonly body: string;
  readonly group?: string;
  readonly deduplicationId?: string;
}

/** A copy of a message. `firstCopied` is the time of the first copy, in epoch milliseconds. */
export interface CopiedMessage extends Omit<QueueMessage, 'deduplicationId'> {
  readonly firstCopied: number;
}

/** A queue as its consumer uses it for messages that are not done. */
export interface Redelivery {
  /** Whether the queue is ordered (FIFO). */
  readonly isOrdered: boolean;
  /** Lets a received message come back after some seconds instead of the queue's visibility timeout. */
  giveBack(receipt: string, seconds: number): Promise<void>;
  /** Sends the same message again, as a new one, which comes at once, with the time of its first copy. */
  sendCopy(message: CopiedMessage): Promise<void>;
}

/** A message that failed too often. Times are in epoch milliseconds. */
export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly sentAt: number;
  /** Why EventBridge or its Scheduler could not deliver; missing for a message that a consumer failed to process. */
  readonly reason?: string;
}

/** Queues of dead letters, by their physical names. */
export interface DeadLetterQueues {
  /** About how many messages a queue has, including those that somebody is looking at. */
  count(queue: string): Promise<number>;
  /** Up to `most` messages of a queue, in no order. They stay in the queue. */
  look(queue: string, most: number): Promise<readonly DeadLetter[]>;
  /** Begins to send all messages to another queue; false when such a move is already under way. */
  moveBack(from: string, to: string): Promise<boolean>;
  /** Deletes all messages; false when SQS is still deleting since an earlier call. */
  purge(queue: string): Promise<boolean>;
}

/**
 * Lines of a log since a time that contain one of some words, in their order. The search goes only as far as the caller
 * reads. A long search may miss the last lines.
 */
export type FindLines = (log: string, words: readonly string[], since: number) => AsyncIterable<string>;

/**
 * The message group of a property's work in a standard queue: the backlog of one property does not delay other
 * properties.
 */
export const tenantGroup = (property: number): string => `property-${property}`;

/** The key that wraps property keys and secrets. `context` is bound to the ciphertext. */
export interface KeyService {
  /** A new 256-bit data key, plain and wrapped. */
  generateDataKey(
    context: Readonly<Record<string, string>>,
  ): Promise<{ plain: Uint8Array; wrapped: Uint8Array }>;
  encrypt(plain: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
  decrypt(wrapped: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
}

/** A schedule that sends a message at times in UTC. */
export interface NewSchedule {
  readonly name: string;
  /** `cron(…)` or `at(…)` as AWS writes them. */
  readonly expression: string;
  /** The IANA time zone of the expression. */
  readonly timezone: string;
  /** The message, JSON; `scheduledTime` in it is replaced by the scheduled time. */
  readonly input: string;
  /** Whether the schedule removes itself after its run. */
  readonly once: boolean;
}

/** Schedules that the service creates. The content of a named schedule never changes. */
export interface Schedules {
  /** The placeholder of the scheduled time in a message. */
  readonly scheduledTime: string;
  /** Creates a schedule; an existing schedule of this name is the same one. */
  create(schedule: NewSchedule): Promise<void>;
  /** Removes a schedule; a missing schedule is a success. */
  remove(name: string): Promise<void>;
}

/** A Step Functions workflow. Starting a name twice with the same input is one execution. */
export interface Workflow {
  start(name: string, input: Readonly<Record<string, unknown>>): Promise<void>;
}
