/** Resumable upload: writes an object of unknown length, which one function can suspend and another can resume. */
import { isUint8Array } from 'node:util/types';
import { createSHA256, type IHasher } from 'hash-wasm';
import * as v from 'valibot';
import { PartedUpload, type UploadPorts, type UploadTarget } from './parted-upload.ts';
import type { ObjectInfo } from './ports.ts';

const binary = v.custom<Uint8Array>(isUint8Array);

/** An upload between two pieces. */
export const uploadState = v.object({
  key: v.string(),
  contentType: v.string(),
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

/** The object of a finished upload. `sha256` is in hexadecimal digits. */
export interface UploadedObject extends ObjectInfo {
  readonly sha256: string;
}

/** A `PartedUpload` with the SHA-256 of its bytes. A state can be resumed more than once: equal bytes make equal parts. */
export class ResumableUpload {
  readonly #target: Required<UploadTarget>;
  readonly #hash: IHasher;
  readonly #upload: PartedUpload;

  private constructor(target: Required<UploadTarget>, hash: IHasher, upload: PartedUpload) {
    this.#target = target;
    this.#hash = hash;
    this.#upload = upload;
  }

  static async begin(ports: UploadPorts, target: Required<UploadTarget>): Promise<ResumableUpload> {
    return new ResumableUpload(target, (await createSHA256()).init(), new PartedUpload(ports, target));
  }

  /** Goes on from a state. */
  static async resume(ports: UploadPorts, state: UploadState): Promise<ResumableUpload> {
    return new ResumableUpload(
      state,
      (await createSHA256()).load(state.hash),
      new PartedUpload(ports, state, state),
    );
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    await this.#upload.write(bytes);
  }

  /** The state after the bytes that were written. Waits for the part that is under way. */
  async suspend(): Promise<UploadState> {
    const { parts, ...written } = await this.#upload.suspend();
    const { key, contentType } = this.#target;
    return { key, contentType, ...written, parts: [...parts], hash: this.#hash.save() };
  }

  /** Builds the object. */
  async finish(): Promise<UploadedObject> {
    return { ...(await this.#upload.finish()), sha256: this.#hash.digest() };
  }
}
