/**
 * Attribute values: converts values of items to and from DynamoDB's typed form, for the table. The document client
 * converts every type there is, at two to three times the cost; an import spends a twentieth of its processor time on
 * this conversion.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attribute } from './table.ts';

/** Bytes that JSON.stringify writes as base64. */
class Base64Bytes extends Uint8Array<ArrayBufferLike> {
  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
  }
}

/**
 * A value in DynamoDB's form. Throws on a number that would not come back unchanged: a number that is not
 * finite, or an integer beyond 2^53.
 */
export const toAttributeValue = (value: Attribute): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || isInexact(value)) throw new RangeError(`table: ${value} cannot be stored`);
    return { N: String(value) };
  }
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array)
    return { B: new Base64Bytes(value.buffer, value.byteOffset, value.byteLength) };
  return isList(value) ? { L: value.map(toAttributeValue) } : { M: toAttributeValues(value) };
};

/** Attributes by name in DynamoDB's form. */
export const toAttributeValues = (
  values: Readonly<Record<string, Attribute>>,
): Record<string, AttributeValue> =>
  // fromEntries defines own properties, so a name like __proto__ is an ordinary name.
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toAttributeValue(value)]));

/**
 * The value behind DynamoDB's form, as it comes from the wire or from a client that has decoded its bytes. Throws on an
 * integer that a number cannot hold, and on sets, which the service never stores.
 */
const fromAttributeValue = (value: AttributeValue): Attribute => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return numberOf(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.B !== undefined) return bytesOf(value.B);
  if (value.L !== undefined) return value.L.map(fromAttributeValue);
  if (value.M !== undefined) return fromAttributeValues(value.M);
  throw new TypeError(`table: a value of type ${Object.keys(value).join()} is stored`);
};

/** Bytes come from the wire as base64. A reviver of `JSON.parse` would see each value of an answer, at 3 µs an item. */
const bytesOf = (value: Uint8Array | string): Uint8Array => {
  if (typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** Attributes by name from DynamoDB's form. */
export const fromAttributeValues = (
  values: Readonly<Record<string, AttributeValue>>,
): Record<string, Attribute> => {
  const read: Record<string, Attribute> = {};
  // Object.entries would make an array for each value.
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    // A name like __proto__ is an ordinary name.
    if (name === '__proto__') Object.defineProperty(read, name, own(fromAttributeValue(value)));
    else read[name] = fromAttributeValue(value);
  }
  return read;
};

const own = (value: Attribute): PropertyDescriptor => ({
  ...{ value, writable: true },
  ...{ enumerable: true, configurable: true },
});

const isList = (value: Exclude<Attribute, null>): value is readonly Attribute[] => Array.isArray(value);

const numberOf = (text: string): number => {
  const value = Number(text);
  if (isInexact(value)) throw new RangeError(`table: ${text} is too large for a number`);
  return value;
};

const isInexact = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);
