/** Ports to the outside: what rules and use cases see of AWS and the network. Adapters live beside this file. */

/** What is known of a stored object. */
export interface ObjectInfo {
  readonly size: number;
  /** Entity tag as S3 gives it, quotes included. */
  readonly etag: string;
}

/** What is known of the version that an object has at the moment. */
export interface PresentObject extends ObjectInfo {
  /** When it was put, in epoch milliseconds; S3 says whole seconds. */
  readonly modified: number;
}

/** An object store of one bucket. Keys are built by the caller from ids, never from user text. */
export interface ObjectStore {
  /** Stores a whole object; `ifAbsent` makes the write fail softly (`false`) when the key is taken. */
  put(
    key: string,
    body: Uint8Array | string,
    options?: { ifAbsent?: boolean; contentType?: string },
  ): Promise<boolean>;
  /** Streams an object of unknown length as a multipart upload, in bounded memory; no object when the source fails. */
  putStream(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<ObjectInfo>;
  head(key: string): Promise<PresentObject | undefined>;
  /** Keys of all objects below a folder, which ends in a slash. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes an object; none of this key is as good. */
  remove(key: string): Promise<void>;
  /** The whole object; `undefined` when there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Streams bytes `from`..`to` (inclusive, to the end when absent). Every read carries `If-Match`: throws
   * `ObjectChangedError` when the object is no longer the one with `etag`.
   */
  read(key: string, options: { etag: string; from?: number; to?: number }): AsyncIterable<Uint8Array>;
  /**
   * A pre-signed address to upload to, with the headers that the client must send. It takes one object: a PUT that follows
   * is refused (412), so a client that repeats a PUT whose answer was lost does no harm.
   */
  presignPut(
    key: string,
    options: { seconds: number; size: number },
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** A pre-signed address to download from, under the given file name. */
  presignGet(key: string, options: { seconds: number; fileName: string }): Promise<string>;
}

/** A part of an upload as it was stored. */
export interface UploadedPart {
  /** From 1. */
  readonly part: number;
  readonly etag: string;
  readonly size: number;
}

/** Uploads of one object in parts, by whoever is given their addresses. An upload that nobody completes is discarded. */
export interface PartUploads {
  /** Begins an upload and returns its id. */
  begin(key: string): Promise<string>;
  /** A pre-signed address for one part of exactly this size. */
  presign(
    key: string,
    options: { upload: string; part: number; size: number; seconds: number },
  ): Promise<string>;
  /** Stores one part; the same part again takes its place. `false` when the upload was completed or discarded. */
  put(key: string, options: { upload: string; part: number; body: Uint8Array }): Promise<boolean>;
  /** The parts that are there; `undefined` when the upload was completed or discarded. */
  list(key: string, upload: string): Promise<readonly UploadedPart[] | undefined>;
  /** Makes the object of these parts; `false` when the upload was completed or discarded before. */
  complete(key: string, upload: string, parts: readonly UploadedPart[]): Promise<boolean>;
}

/** The object was replaced or deleted while it was read. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
}

/** A queue. Bodies are JSON with a schema version. */
export interface Queue {
  send(messages: readonly QueueMessage[]): Promise<void>;
}

/**
 * A message. A FIFO queue orders the messages of a group; a standard queue shares its consumers fairly between groups.
 * Only FIFO queues take a deduplication id.
 */
export interface QueueMessage {
  readonly body: string;
  readonly group?: string;
  readonly deduplicationId?: string;
}

/** The message group of a property's work in a standard queue: a property with a backlog does not delay other properties. */
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

/** A schedule that sends a message by the clock, in UTC. */
export interface NewSchedule {
  readonly name: string;
  /** `cron(…)` or `at(…)` as AWS writes them. */
  readonly expression: string;
  /** The message, JSON; `scheduledTime` in it becomes the time for which it is sent. */
  readonly input: string;
  /** Whether it removes itself once it has run. */
  readonly once: boolean;
}

/** Schedules made by the service itself. What a name stands for never changes. */
export interface Schedules {
  /** What stands for the scheduled time in a message. */
  readonly scheduledTime: string;
  /** Creates a schedule; one of this name that is there already is the same one. */
  create(schedule: NewSchedule): Promise<void>;
  /** Removes a schedule; none of this name is as good. */
  remove(name: string): Promise<void>;
}

/** A Step Functions workflow. Starting a name twice with the same input is one execution. */
export interface Workflow {
  start(name: string, input: Readonly<Record<string, unknown>>): Promise<void>;
}
