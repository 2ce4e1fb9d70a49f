import { afterAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/service-error.ts';
import { TABLE, openDb } from './table.ts';

const table = await openDb(undefined, { kindOf: () => 'item' });
afterAll(() => table.close());

const key = { pk: { S: 'p' }, sk: { S: 's' } };
const stored = {
  ...key,
  text: { S: 'hello' },
  number: { N: '5' },
  list: { L: [{ S: 'a' }, { N: '1' }] },
  set: { SS: ['a', 'b'] },
  map: { M: { deep: { BOOL: true }, nil: { NULL: true } } },
};
const names = { '#n': 'number', '#t': 'text', '#l': 'list', '#s': 'set', '#m': 'map', '#x': 'absent' };
const values = {
  ':4': { N: '4' },
  ':5': { N: '5.0' },
  ':6': { N: '6' },
  ':five': { S: '5' },
  ':he': { S: 'he' },
  ':a': { S: 'a' },
  ':hello': { S: 'hello' },
  ':true': { BOOL: true },
  ':S': { S: 'S' },
  ':N': { S: 'N' },
};

/** Only the names and values that the expression uses: DynamoDB refuses unused ones. */
const used = <T>(all: Readonly<Record<string, T>>, expression: string): Record<string, T> | undefined => {
  const found = Object.entries(all).filter(([name]) => new RegExp(`${name}(?![\\w])`).test(expression));
  return found.length === 0 ? undefined : Object.fromEntries(found);
};

/** Deletes the item on a condition, and returns the code of the refusal. */
const deleteOn = async (ConditionExpression: string): Promise<string> => {
  await table.call('PutItem', { TableName: TABLE, Item: stored });
  try {
    await table.call('DeleteItem', {
      TableName: TABLE,
      Key: key,
      ConditionExpression,
      ExpressionAttributeNames: used(names, ConditionExpression),
      ExpressionAttributeValues: used(values, ConditionExpression),
    });
    return 'deleted';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

// DynamoDB Developer Guide, "Condition and filter expressions, operators, and functions".
describe('a condition expression', () => {
  it.each([
    '#n = :5',
    '#n <> :4',
    '#n <> :five',
    '#x <> :5',
    '#n < :6',
    '#n <= :5',
    '#n > :4',
    '#n >= :5',
    '#n BETWEEN :4 AND :6',
    '#n BETWEEN :5 AND :5',
    '#n IN (:4, :5)',
    'attribute_exists(#n)',
    'attribute_exists(#m.deep)',
    'attribute_exists(#l[1])',
    'attribute_not_exists(#x)',
    'attribute_not_exists(#l[2])',
    'attribute_type(#n, :N)',
    'begins_with(#t, :he)',
    'contains(#t, :he)',
    'contains(#l, :a)',
    'contains(#s, :a)',
    'size(#t) = :5',
    'size(#l) < :4',
    '#m.deep = :true',
    'NOT #n = :4',
    '#n = :4 OR #t = :hello AND #n = :5',
    'NOT (#n = :4 OR #n = :6)',
  ])('%s holds', async (expression) => {
    expect(await deleteOn(expression)).toBe('deleted');
  });

  it.each([
    '#n = :five',
    '#n < :five',
    '#x = :5',
    '#x < :5',
    '#n BETWEEN :6 AND :6',
    '#n IN (:4, :6)',
    'attribute_exists(#x)',
    'attribute_not_exists(#m.nil)',
    'attribute_type(#n, :S)',
    'begins_with(#t, :a)',
    'begins_with(#x, :he)',
    'contains(#s, :he)',
    'size(#x) < :4',
    'size(#n) < :6',
    '(#n = :4 OR #t = :hello) AND #n = :6',
    'NOT #t = :hello',
  ])('%s does not hold', async (expression) => {
    expect(await deleteOn(expression)).toBe('ConditionalCheckFailedException');
  });

  it.each([
    '',
    '#n',
    '#n = ',
    '#n == :5',
    '#unknown = :5',
    '#n = :unknown',
    'unknown_function(#n)',
    'attribute_exists(:5)',
    'begins_with(#t)',
    '#n BETWEEN :6 AND :4',
    '(#n = :5',
    '#n = :5 AND',
    'size(#n)',
    'number = :5 AND BETWEEN = :4',
  ])('%j is invalid', async (expression) => {
    expect(await deleteOn(expression)).toBe('ValidationException');
  });
});
