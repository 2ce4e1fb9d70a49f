import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

/*
 * A table call has the same form on the wire as in memory, except for bytes, which are base64 on the wire. The
 * SDK's own codec converts field by field by the schema of each call, at nearly three times the cost. Without
 * it an import worker needs a tenth less processor time.
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
const revive = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;

/** Parses a body from the wire, with Buffers for bytes. */
export const fromWire = (text: string): unknown =>
  JSON.parse(text, text.includes(BYTES) ? revive : undefined);

/**
 * Writes and reads bodies without looking at the schema. As bytes a body is encoded once; as text it would be
 * encoded for its length, for its hash and for the wire.
 */
class PlainJson {
  #body = Buffer.alloc(0);

  setSerdeContext(): void {
    // The plain form needs no context.
  }

  write(_schema: unknown, value: unknown): void {
    this.#body = Buffer.from(JSON.stringify(value));
  }

  flush(): Uint8Array {
    return this.#body;
  }

  read(_schema: unknown, data: string | Uint8Array): unknown {
    if (typeof data === 'string') return fromWire(data);
    return fromWire(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());
  }
}

/**
 * DynamoDB's protocol for item calls, which have no times and no sets. Pass bytes as `Base64Bytes`; they come
 * back as Buffers.
 */
export class PlainJsonProtocol extends AwsJson1_0Protocol {
  protected override serializer = new PlainJson();
  protected override deserializer = new PlainJson();
}
