/** SQS messages: their schema, sizes, checksums and limits. */
import { createHash, hash } from 'node:crypto';
import * as v from 'valibot';
import { ServiceError } from '../../core/service-error.ts';

/** Largest message with all its attributes, and largest batch: 1 MiB (SQS's limit since 2025). */
export const MAX_MESSAGE_BYTES = 1_048_576;

export const AttributeShape = v.object({
  DataType: v.string(),
  StringValue: v.optional(v.string()),
  BinaryValue: v.optional(v.string()),
});
const Attributes = v.record(v.string(), AttributeShape);

/** A stored message. Times are in milliseconds. */
export const MessageShape = v.object({
  id: v.string(),
  body: v.string(),
  attributes: Attributes,
  sentAt: v.number(),
  visibleAt: v.number(),
  received: v.number(),
  firstReceivedAt: v.optional(v.number()),
  groupId: v.optional(v.string()),
  deduplicationId: v.optional(v.string()),
  sequence: v.optional(v.string()),
  /** The source queue of a dead letter. */
  origin: v.optional(v.string()),
});
export type Message = v.InferOutput<typeof MessageShape>;

/** MD5 of a body, which the SDK verifies. */
export const md5Of = (body: string): string => hash('md5', body, 'hex');

/** MD5 of message attributes in SQS's own encoding: name, type and value with their lengths, sorted by name. */
export const md5OfAttributes = (attributes: Message['attributes']): string | undefined => {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const digest = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    digest.update(length).update(bytes);
  };
  for (const name of names) {
    const { DataType = '', StringValue, BinaryValue } = attributes[name] ?? {};
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    const isBinary = BinaryValue !== undefined;
    digest.update(Buffer.from([isBinary ? 2 : 1]));
    add(isBinary ? Buffer.from(BinaryValue, 'base64') : Buffer.from(StringValue ?? ''));
  }
  return digest.digest('hex');
};

/** The size of a message in bytes. */
export const messageBytes = (body: string, attributes: Message['attributes']): number =>
  Object.entries(attributes).reduce(
    (sum, [name, { DataType, StringValue, BinaryValue }]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue ?? '') +
      Buffer.byteLength(BinaryValue ?? '', 'base64'),
    Buffer.byteLength(body),
  );

/** SQS refuses characters outside XML 1.0. */
const INVALID = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Checks the body and size of one message. Throws the error of SQS. */
export const checkMessage = (body: string, attributes: Message['attributes']): void => {
  if (body === '')
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (INVALID.test(body)) throw new ServiceError('InvalidMessageContents', 'Invalid characters found.');
  if (messageBytes(body, attributes) > MAX_MESSAGE_BYTES) {
    const message = `One or more parameters are invalid. Reason: Message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`;
    throw new ServiceError('InvalidParameterValue', message);
  }
};
