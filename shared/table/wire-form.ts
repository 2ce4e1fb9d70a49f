/*
 * A table call has the same form on the wire as in memory, except for bytes, which are base64 on the wire.
 */

/** Bytes that JSON.stringify writes as base64. */
export class Base64Bytes extends Uint8Array<ArrayBufferLike> {
  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
  }
}

/** The JSON of an attribute value of bytes begins like this. Within user text the quotes are escaped. */
const BYTES = '"B":"';

/** An attribute that is itself named `B` holds an object. */
const revive = (name: string, value: unknown): unknown => {
  if (name !== 'B' || typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** Parses a body from the wire, with byte arrays for bytes. */
export const fromWire = (text: string): unknown =>
  JSON.parse(text, text.includes(BYTES) ? revive : undefined);
