import type { AttributeValue, Item } from './types.ts';

/** Largest item, including attribute names (service quota). */
export const MAX_ITEM_BYTES = 400 * 1024;

/** Write units of an item of this size: one per started KB (DynamoDB pricing). */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

/** Read units of this many bytes read together: one per started 4 KB, and half of that when eventually consistent. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

/** Billed size of an item: UTF-8 names plus values. */
export const itemBytes = (item: Item): number => {
  let sum = 0;
  // The engine measures each item several times, so this loop avoids the arrays of Object.entries.
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) sum += Buffer.byteLength(name) + valueBytes(value);
  }
  return sum;
};

/** One byte per two significant digits, plus one, and one more for a minus sign. */
const numberBytes = (text: string): number => {
  const digits = text.replace(/[-+.]/g, '').replace(/^0+|(?<!0)0+$/g, '').length;
  return 1 + Math.ceil(digits / 2) + (text.startsWith('-') ? 1 : 0);
};

/** Base64 encodes three bytes in four characters. */
const binaryBytes = (text: string): number => Buffer.byteLength(text, 'base64');

const total = <T>(values: readonly T[], size: (value: T) => number): number =>
  values.reduce((sum, value) => sum + size(value), 0);

const valueBytes = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return binaryBytes(value.B);
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemBytes(value.M);
  if (value.L !== undefined) return 3 + value.L.length + total(value.L, valueBytes);
  if (value.SS !== undefined) return total(value.SS, (text) => Buffer.byteLength(text));
  if (value.NS !== undefined) return total(value.NS, numberBytes);
  if (value.BS !== undefined) return total(value.BS, binaryBytes);
  return 1;
};
