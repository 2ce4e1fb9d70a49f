/** Resumable upload: writes an object of unknown length, which one function can suspend and another can resume. */
import { isUint8Array } from 'node:util/types';
import { createSHA256, type IHasher } from 'hash-wasm';
import * as v from 'valibot';
import { blocksOf } from './bytes.ts';
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
  readonly objects: Pick<ObjectStore, 'putStream'>;
  readonly parts: Pick<PartUploads, 'begin' | 'put' | 'complete'>;
}

const binary = v.custom<Uint8Array>(isUint8Array);

/** An upload between two pieces. `held` are the bytes that no part contains yet. */
export const uploadState = v.object({
  key: v.string(),
  contentType: v.string(),
  /** Id of the upload in parts; `null` while the bytes fit one part. */
  upload: v.nullable(v.string()),
  parts: v.array(
    v.object({
      part: v.number(),
      etag: v.string(),
      size: v.number(),
      crc32: v.exactOptional(v.string()),
    }),
  ),
  bytes: v.number(),
  hash: binary,
  held: binary,
});
export type UploadState = v.InferOutput<typeof uploadState>;

/** The upload was completed or discarded by another function. */
export class UploadGoneError extends Error {
  override readonly name = 'UploadGoneError';
}

/** The object of a finished upload. `sha256` is in hexadecimal digits. */
export interface UploadedObject extends ObjectInfo {
  readonly sha256: string;
}

/**
 * An upload. A state can be resumed more than once: equal bytes make equal parts. Methods throw `UploadGoneError` when
 * the upload was completed or discarded before.
 */
export class ResumableUpload {
  readonly #ports: UploadPorts;
  readonly #key: string;
  readonly #contentType: string;
  readonly #hash: IHasher;
  readonly #parts: UploadedPart[];
  #upload: string | null;
  #bytes: number;
  /** The next part, filled up to `#filled`. */
  #part: Buffer;
  #filled: number;
  /** The part that is sent while the next one is filled. */
  #underWay: Promise<void> = Promise.resolve();

  private constructor(ports: UploadPorts, hash: IHasher, state: Omit<UploadState, 'hash'>) {
    this.#ports = ports;
    this.#key = state.key;
    this.#contentType = state.contentType;
    this.#hash = hash;
    this.#parts = [...state.parts];
    this.#upload = state.upload;
    this.#bytes = state.bytes;
    this.#part = Buffer.alloc(partBytes(state.parts.length + 1));
    this.#part.set(state.held);
    this.#filled = state.held.length;
  }

  /** Begins an upload. Nothing is sent before the first part is full. */
  static async begin(
    ports: UploadPorts,
    about: { readonly key: string; readonly contentType: string },
  ): Promise<ResumableUpload> {
    const hash = (await createSHA256()).init();
    return new ResumableUpload(ports, hash, {
      ...about,
      upload: null,
      parts: [],
      bytes: 0,
      held: Buffer.alloc(0),
    });
  }

  /** Goes on from a state. */
  static async resume(ports: UploadPorts, state: UploadState): Promise<ResumableUpload> {
    return new ResumableUpload(ports, (await createSHA256()).load(state.hash), state);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    for (let taken = 0; taken < bytes.length;) {
      const piece = bytes.subarray(taken, taken + this.#part.length - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
      if (this.#filled === this.#part.length) await this.#send();
    }
  }

  /** The state after the bytes that were written. Waits for the part that is under way. */
  async suspend(): Promise<UploadState> {
    await this.#underWay;
    return {
      key: this.#key,
      contentType: this.#contentType,
      upload: this.#upload,
      parts: [...this.#parts],
      bytes: this.#bytes,
      hash: this.#hash.save(),
      held: this.#part.subarray(0, this.#filled),
    };
  }

  /** Builds the object. */
  async finish(): Promise<UploadedObject> {
    const sha256 = this.#hash.digest();
    if (this.#upload === null) return { ...(await this.#putWhole()), sha256 };
    if (this.#filled > 0) await this.#send();
    await this.#underWay;
    const etag = await this.#ports.parts.complete(this.#key, this.#upload, this.#parts);
    if (etag === undefined) throw new UploadGoneError('the upload was completed or discarded');
    return { etag, size: this.#bytes, sha256 };
  }

  #putWhole(): Promise<ObjectInfo> {
    const whole = blocksOf([this.#part.subarray(0, this.#filled)], this.#part.length);
    return this.#ports.objects.putStream(this.#key, whole, { contentType: this.#contentType });
  }

  /** Sends the filled part, once the part before it has arrived. */
  async #send(): Promise<void> {
    await this.#underWay;
    const body = this.#part.subarray(0, this.#filled);
    const part = this.#parts.length + 1;
    if (part > MOST_PARTS) throw new Error('upload: the object has more parts than S3 takes');
    this.#upload ??= await this.#ports.parts.begin(this.#key, {
      checked: true,
      contentType: this.#contentType,
    });
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
