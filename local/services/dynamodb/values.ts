/** Attribute values: validates, compares and prints values of DynamoDB's JSON protocol. */
import validations from 'dynalite/validations/index.js';
import { ServiceError } from '../../core/service-error.ts';
import type { AttributeValue, Item, KeySchemaTable } from './types.ts';

/** Whether a value is an object with names. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((member) => typeof member === 'string');

/** True when the value has the shape of an attribute value. `attributeValue` validates the content. */
const isShaped = (value: unknown): value is AttributeValue => {
  if (!isRecord(value)) return false;
  for (const [type, content] of Object.entries(value)) if (!isContent(type, content)) return false;
  return true;
};

const isContent = (type: string, content: unknown): boolean => {
  switch (type) {
    case 'S':
    case 'N':
    case 'B':
      return typeof content === 'string';
    case 'BOOL':
    case 'NULL':
      return typeof content === 'boolean';
    case 'SS':
    case 'NS':
    case 'BS':
      return isStrings(content);
    case 'L':
      return Array.isArray(content) && content.every(isShaped);
    case 'M':
      return isRecord(content) && Object.values(content).every(isShaped);
    default:
      return false;
  }
};

const isText = (value: unknown): value is AttributeValue =>
  isRecord(value) && typeof value['S'] === 'string' && Object.keys(value).length === 1;

/** Validates an attribute value and normalizes its numbers. Throws like the real service. */
export const attributeValue = (value: unknown): AttributeValue => {
  // Most values are texts, and every text is valid.
  if (isText(value)) return value;
  if (!isShaped(value)) throw new ServiceError('SerializationException', 'Unexpected value type in payload');
  const complaint = validations.validateAttributeValue(value);
  if (complaint) throw new ServiceError('ValidationException', complaint);
  refuseEmptyName(value);
  return value;
};

/** Refuses items with an empty attribute name inside a map, as the real service does. */
export const refuseEmptyNames = (items: readonly Item[]): void => {
  for (const item of items) for (const value of Object.values(item)) refuseEmptyName(value);
};

const refuseEmptyName = ({ M, L }: AttributeValue): void => {
  for (const member of L ?? []) refuseEmptyName(member);
  if (!M) return;
  if (Object.hasOwn(M, '')) {
    throw new ServiceError(
      'ValidationException',
      'One or more parameter values were invalid: The name of an attribute in a map may not be empty',
    );
  }
  for (const member of Object.values(M)) refuseEmptyName(member);
};

/** Equality in conditions: same type and same value, sets in any order. */
export const sameValue = (left: AttributeValue | undefined, right: AttributeValue): boolean => {
  if (left === undefined) return false;
  if (right.S !== undefined) return left.S === right.S;
  if (right.N !== undefined) return left.N === right.N;
  return canonical(left) === canonical(right);
};

const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => {
    if ((name === 'SS' || name === 'NS' || name === 'BS') && isStrings(member)) return member.toSorted();
    return isRecord(member) ? Object.fromEntries(Object.entries(member).sort(byName)) : member;
  });

const byName = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1);

/** The text of a key attribute, from which the meter derives the kind of the item. */
export const keyText = (value: AttributeValue | undefined): string => value?.S ?? value?.N ?? value?.B ?? '';

/** The text of an item's partition key, by which the throughput of partitions is counted. */
export const partitionText = ({ KeySchema }: KeySchemaTable, item: Item): string =>
  keyText(item[KeySchema[0]?.AttributeName ?? '']);
