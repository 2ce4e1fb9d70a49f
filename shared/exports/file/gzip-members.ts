/** Gzip members: compresses a stream so that one function can suspend it and another can resume it. */
import { isUint8Array } from 'node:util/types';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';

/**
 * Plain bytes of a member. A gzip file may consist of members, one after the other. Each member has the same number of
 * plain bytes, so the file follows from the plain bytes alone: two functions that resume one state write the same bytes.
 */
const MEMBER_BYTES = 1_048_576;

const compress = promisify(gzip);

/** A stream between two pieces. `held` are the plain bytes that no member contains yet. */
export const gzipState = v.object({
  held: v.custom<Uint8Array>(isUint8Array),
  /** Members so far. */
  members: v.number(),
});
export type GzipState = v.InferOutput<typeof gzipState>;

/** A stream that is compressed. */
export class GzipMembers {
  readonly #held = Buffer.alloc(MEMBER_BYTES);
  #filled = 0;
  #members: number;

  constructor({ held, members }: GzipState = { held: new Uint8Array(), members: 0 }) {
    this.#held.set(held);
    this.#filled = held.length;
    this.#members = members;
  }

  /** Adds plain bytes. Returns the members that are full. */
  async write(plain: Uint8Array): Promise<Uint8Array> {
    const full: Uint8Array[] = [];
    for (let taken = 0; taken < plain.length;) {
      const piece = plain.subarray(taken, taken + MEMBER_BYTES - this.#filled);
      this.#held.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
      if (this.#filled === MEMBER_BYTES) full.push(await this.#member());
    }
    return Buffer.concat(full);
  }

  /** The rest of the stream. A stream without any bytes is one empty member. */
  async end(): Promise<Uint8Array> {
    return this.#filled > 0 || this.#members === 0 ? this.#member() : new Uint8Array();
  }

  /** The state after the bytes that were added. */
  state(): GzipState {
    return { held: Buffer.from(this.#held.subarray(0, this.#filled)), members: this.#members };
  }

  async #member(): Promise<Uint8Array> {
    const member = await compress(this.#held.subarray(0, this.#filled));
    this.#filled = 0;
    this.#members += 1;
    return member;
  }
}
