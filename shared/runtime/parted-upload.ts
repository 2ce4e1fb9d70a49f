/** Parted upload: writes an object of unknown length in bounded memory. Larger objects go in parts, one behind another. */
import type { ObjectInfo, ObjectStore, PartUploads, UploadedPart } from './ports.ts';

const MEGABYTE = 1_048_576;

/** S3's limit for the parts of one object. */
const MOST_PARTS = 10_000;

/**
 * Bytes of a part, from part 1 on. Two parts are in memory, so first parts are small. Later parts grow, because an object
 * has at most 10,000 parts: all together have 390 GB.
 */
const partBytes = (part: number): number => {
  if (part <= 1_000) return 8 * MEGABYTE;
  return part <= 5_000 ? 16 * MEGABYTE : 64 * MEGABYTE;
};

/** Ports of an upload: the bucket, whole and in parts. */
export interface UploadPorts {
  readonly objects: Pick<ObjectStore, 'put'>;
  readonly parts: Pick<PartUploads, 'begin' | 'put' | 'complete'>;
}

/** The upload was completed or discarded by another function. */
export class UploadGoneError extends Error {
  override readonly name = 'UploadGoneError';
}

/** What an upload is about. */
export interface UploadTarget {
  readonly key: string;
  readonly contentType?: string;
}

/** What was written so far. `held` are the bytes that no part contains yet. */
export interface Written {
  /** Id of the upload in parts; `null` while the bytes fit one part. */
  readonly upload: string | null;
  readonly parts: readonly UploadedPart[];
  readonly bytes: number;
  readonly held: Uint8Array;
}

const nothing: Written = { upload: null, parts: [], bytes: 0, held: new Uint8Array() };

/**
 * An upload. The next part is filled while one part is under way, and nothing is sent before the first part is full: an
 * object that fits one part is a plain put. The parts of a failed upload are no object; the bucket's lifecycle rule
 * discards them, also after a function was killed. Methods throw `UploadGoneError` when the upload was completed or
 * discarded before.
 */
export class PartedUpload {
  readonly #ports: UploadPorts;
  readonly #key: string;
  readonly #options: { readonly contentType?: string };
  readonly #parts: UploadedPart[];
  #upload: string | null;
  #bytes: number;
  /** The next part, filled up to `#filled`. */
  #part: Buffer;
  #filled: number;
  /** The part that is sent while the next one is filled. */
  #underWay: Promise<void> = Promise.resolve();

  /** Begins an upload, or goes on with what was written. */
  constructor(ports: UploadPorts, { key, contentType }: UploadTarget, written = nothing) {
    this.#ports = ports;
    this.#key = key;
    this.#options = contentType === undefined ? {} : { contentType };
    this.#parts = [...written.parts];
    this.#upload = written.upload;
    this.#bytes = written.bytes;
    this.#part = Buffer.alloc(partBytes(written.parts.length + 1));
    this.#part.set(written.held);
    this.#filled = written.held.length;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length;
    for (let taken = 0; taken < bytes.length;) {
      const piece = bytes.subarray(taken, taken + this.#part.length - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
      if (this.#filled === this.#part.length) await this.#send();
    }
  }

  /** What was written so far. Waits for the part that is under way. */
  async suspend(): Promise<Written> {
    await this.#underWay;
    const held = this.#part.subarray(0, this.#filled);
    return { upload: this.#upload, parts: [...this.#parts], bytes: this.#bytes, held };
  }

  /** Builds the object. */
  async finish(): Promise<ObjectInfo> {
    if (this.#upload === null)
      return this.#ports.objects.put(this.#key, this.#part.subarray(0, this.#filled), this.#options);
    if (this.#filled > 0) await this.#send();
    await this.#underWay;
    const etag = await this.#ports.parts.complete(this.#key, this.#upload, this.#parts);
    if (etag === undefined) throw new UploadGoneError('the upload was completed or discarded');
    return { etag, size: this.#bytes };
  }

  /** Sends the filled part, once the part before it has arrived. */
  async #send(): Promise<void> {
    await this.#underWay;
    const body = this.#part.subarray(0, this.#filled);
    const part = this.#parts.length + 1;
    if (part > MOST_PARTS) throw new Error('upload: the object has more parts than S3 takes');
    this.#upload ??= await this.#ports.parts.begin(this.#key, { checked: true, ...this.#options });
    this.#underWay = this.#put(this.#upload, part, body);
    // A part that fails while the next part is filled is thrown in its turn, not as an unhandled rejection.
    this.#underWay.catch(() => undefined);
    this.#part = Buffer.alloc(partBytes(part + 1));
    this.#filled = 0;
  }

  async #put(upload: string, part: number, body: Uint8Array): Promise<void> {
    const stored = await this.#ports.parts.put(this.#key, { upload, part, body });
    if (stored === undefined) throw new UploadGoneError('the upload was completed or discarded');
    this.#parts.push(stored);
  }
}

/** Stores a stream as one object; none when the stream fails. */
export const putStream = async (
  ports: UploadPorts,
  target: UploadTarget,
  body: AsyncIterable<Uint8Array>,
): Promise<ObjectInfo> => {
  const upload = new PartedUpload(ports, target);
  try {
    for await (const bytes of body) await upload.write(bytes);
  } finally {
    // Wait also when the source failed: nothing goes on once this function has ended.
    await upload.suspend();
  }
  return upload.finish();
};
