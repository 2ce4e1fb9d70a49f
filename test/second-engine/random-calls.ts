/** Random calls: every operation of the product, with the shapes of its expressions and others, on few keys. */
import type { Choose } from '../ingest/interleave.ts';
import { anyValue, goodValue, hugeValue, oneOf, type Wire } from './random-values.ts';

/** A call: an operation and its body. */
export interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The table of the calls. */
export const TABLE = 'tidemark';

const partitions = ['P#1', 'P#2', 'é'] as const;
const sorts = ['a', 'a#1', 'a#2', 'b', 'B', '0', 'é', 'x'.repeat(1_024)] as const;
const names = ['a', 'b', 'value', 'ttl', 'w'] as const;

/** One call. Few of the calls are invalid, so that most sequences get far. */
export const randomCall = (choose: Choose): Call =>
  oneOf(choose, [
    put,
    update,
    update,
    remove,
    get,
    batchGet,
    query,
    query,
    batchWrite,
    statements,
    statements,
    statements,
  ])(choose);

const keyOf = (choose: Choose): Record<string, Wire> => {
  const key = { pk: { S: oneOf(choose, partitions) }, sk: { S: oneOf(choose, sorts) } };
  if (choose(40) > 0) return key;
  return oneOf<Record<string, Wire>>(choose, [
    { pk: key.pk },
    { ...key, sk: { S: '' } },
    { ...key, sk: { N: '1' } },
    { ...key, sk: { S: 'x'.repeat(1_025) } },
    { ...key, pk: { S: 'x'.repeat(2_049) } },
    { ...key, a: { S: 'x' } },
  ]);
};

/** The engines differ in the result of a calculation of more than 38 digits, so calculations get small numbers. */
const valueFor = (choose: Choose, name: string): Wire =>
  ['b', 'ttl', 'w'].includes(name) && choose(6) === 0 ? hugeValue(choose) : anyValue(choose);

const itemOf = (choose: Choose): Record<string, Wire> => {
  const item = keyOf(choose);
  for (const name of names) if (choose(3) === 0) item[name] = valueFor(choose, name);
  return item;
};

const conditions: readonly [string, ...string[]] = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  'attribute_exists(#b)',
  '#a = :v',
  '#a <> :v',
  '#a < :v',
  '#a >= :v',
  '#a BETWEEN :v AND :u',
  '#a IN (:v, :u)',
  'begins_with(#a, :v)',
  'contains(#a, :v)',
  'size(#a) > :v',
  'attribute_type(#a, :v)',
  'NOT #a = :v',
  '#a = :v OR #b = :u AND attribute_exists(#b)',
  '(#a = :v OR #b = :u) AND NOT attribute_exists(#b)',
  '#a = #b',
  '#a <> #b',
  '#a =',
  '#a.x = :v',
  '#a[0] = :v',
];

/** The names and values that an expression uses; sometimes one too many or one too few. */
const used = (choose: Choose, ...expressions: readonly (string | undefined)[]) => {
  const text = expressions.join(' ');
  const isLoose = choose(60) === 0;
  const aliases = names.filter((name) => text.includes(`#${name}`) || (isLoose && name === 'w'));
  const values = [...new Set(text.match(/:[a-z]+/g) ?? [])];
  if (isLoose && choose(2) === 0) values.pop();
  return {
    ...(aliases.length > 0
      ? { ExpressionAttributeNames: Object.fromEntries(aliases.map((name) => [`#${name}`, name])) }
      : {}),
    ...(values.length > 0
      ? {
          ExpressionAttributeValues: Object.fromEntries(values.map((name) => [name, valueFor(choose, name)])),
        }
      : {}),
  };
};

const put = (choose: Choose): Call => {
  const ConditionExpression = choose(2) === 0 ? oneOf(choose, conditions) : undefined;
  return {
    operation: 'PutItem',
    input: {
      TableName: TABLE,
      Item: itemOf(choose),
      ...(ConditionExpression === undefined
        ? {}
        : { ConditionExpression, ...used(choose, ConditionExpression) }),
      ...(choose(3) === 0 ? { ReturnValues: oneOf(choose, ['ALL_OLD', 'NONE', 'ALL_NEW']) } : {}),
      ...(choose(3) === 0 ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
    },
  };
};

const updates: readonly [string, ...string[]] = [
  'SET #a = :v',
  'SET w = :v ADD #value :by',
  'SET w = :v, #ttl = :u ADD #value :by',
  'ADD #value :by',
  'ADD #a :v',
  'DELETE #a :v',
  'REMOVE #a',
  'REMOVE #a, #b',
  'SET #a = if_not_exists(#a, :v)',
  'SET #value = #value + :by',
  'SET #value = if_not_exists(#value, :by) - :by',
  'SET #a = list_append(#a, :v)',
  'SET #b = #a',
  'SET #a = :v REMOVE #b',
  'SET #a.x = :v',
  'SET #a[1] = :v',
  'SET #a = :v, #a = :u',
  'SET #a = :v REMOVE #a',
  'SET pk = :v',
  'SET',
  'REMOVE #a[0]',
];

const update = (choose: Choose): Call => {
  const UpdateExpression = oneOf(choose, updates);
  // With a failing condition, the engines name different errors for a change of the key.
  const isNested = /[.[]/.test(UpdateExpression);
  const isOnKey = UpdateExpression.startsWith('SET pk');
  const ConditionExpression = choose(3) === 0 && !isOnKey ? oneOf(choose, conditions) : undefined;
  const { ExpressionAttributeValues = {}, ...rest } = used(choose, UpdateExpression, ConditionExpression);
  const by = choose(10) > 0 ? { N: oneOf(choose, ['1', '-1', '16', '0.5']) } : anyValue(choose);
  const values = {
    ...ExpressionAttributeValues,
    ...(':by' in ExpressionAttributeValues ? { ':by': by } : {}),
  };
  return {
    operation: 'UpdateItem',
    input: {
      TableName: TABLE,
      Key: keyOf(choose),
      UpdateExpression,
      ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      ...rest,
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
      // Of a changed part of a document, the engines return the part or the whole.
      ReturnValues: oneOf(
        choose,
        isNested ? ['ALL_NEW', 'NONE'] : ['UPDATED_NEW', 'UPDATED_OLD', 'ALL_NEW', 'ALL_OLD'],
      ),
    },
  };
};

const remove = (choose: Choose): Call => {
  const ConditionExpression = choose(2) === 0 ? oneOf(choose, conditions) : undefined;
  return {
    operation: 'DeleteItem',
    input: {
      TableName: TABLE,
      Key: keyOf(choose),
      ...(ConditionExpression === undefined
        ? {}
        : { ConditionExpression, ...used(choose, ConditionExpression) }),
      ReturnValues: oneOf(choose, ['ALL_OLD', 'NONE']),
    },
  };
};

const projection = (choose: Choose): object =>
  choose(4) === 0
    ? { ProjectionExpression: oneOf(choose, ['a', 'pk, a', 'b, w', 'a.x, a[0]', 'a, a', '']) }
    : {};

const get = (choose: Choose): Call => ({
  operation: 'GetItem',
  input: { TableName: TABLE, Key: keyOf(choose), ConsistentRead: true, ...projection(choose) },
});

const batchGet = (choose: Choose): Call => {
  const keys = Array.from({ length: 1 + choose(6) }, () => keyOf(choose));
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  const Keys = choose(10) === 0 ? keys : choose(40) === 0 ? [] : distinct;
  return {
    operation: 'BatchGetItem',
    input: { RequestItems: { [TABLE]: { Keys, ConsistentRead: true, ...projection(choose) } } },
  };
};

const ranges: readonly [string, ...string[]] = [
  '',
  ' AND sk BETWEEN :low AND :high',
  ' AND sk >= :low',
  ' AND sk > :low',
  ' AND sk <= :high',
  ' AND sk < :high',
  ' AND sk = :low',
  ' AND begins_with(sk, :low)',
  ' AND contains(sk, :low)',
  ' AND sk <> :low',
];

const query = (choose: Choose): Call => {
  const range = oneOf(choose, ranges);
  const bound = (): Wire => ({ S: oneOf(choose, choose(20) === 0 ? [''] : sorts) });
  const values = Object.fromEntries(
    [...new Set(range.match(/:[a-z]+/g) ?? [])].map((name) => [name, bound()]),
  );
  const filter = choose(5) === 0 ? oneOf(choose, ['w = :v', 'attribute_exists(w)', 'sk = :v']) : undefined;
  const filterValue = filter?.includes(':v') === true ? { ':v': goodValue(choose) } : {};
  return {
    operation: 'Query',
    input: {
      TableName: TABLE,
      ConsistentRead: true,
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: { ':pk': { S: oneOf(choose, partitions) }, ...values, ...filterValue },
      ...(filter === undefined ? {} : { FilterExpression: filter }),
      ...(choose(2) === 0 ? { ScanIndexForward: choose(2) === 0 } : {}),
      ...(choose(2) === 0 ? { Limit: choose(30) === 0 ? 0 : 1 + choose(4) } : {}),
      ...(choose(4) === 0 ? { ExclusiveStartKey: plainKey(choose) } : {}),
      ...(choose(10) === 0
        ? { Select: oneOf(choose, ['COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES']) }
        : {}),
      ...projection(choose),
    },
  };
};

const batchWrite = (choose: Choose): Call => {
  const requests = Array.from({ length: 1 + choose(4) }, () =>
    choose(3) === 0 ? { DeleteRequest: { Key: keyOf(choose) } } : { PutRequest: { Item: itemOf(choose) } },
  );
  return { operation: 'BatchWriteItem', input: { RequestItems: { [TABLE]: requests } } };
};

/** Statements of the three shapes, each on another key. */
const statements = (choose: Choose): Call => {
  const all = Array.from({ length: 1 + choose(5) }, () => statement(choose));
  const Statements = [...new Map(all.map((one) => [one.key, one.statement])).values()];
  if (choose(4) === 0) return { operation: 'ExecuteTransaction', input: { TransactStatements: Statements } };
  if (choose(6) > 0) return { operation: 'BatchExecuteStatement', input: { Statements } };
  return { operation: 'ExecuteStatement', input: Statements[0] ?? {} };
};

/** Statements that name no key, or not the number of their parameters. */
const malformed: readonly [Call['input'], ...Call['input'][]] = [
  { Statement: `INSERT INTO "${TABLE}" VALUE {'pk':?, 'sk':}`, Parameters: [{ S: 'a' }, { S: 'b' }] },
  { Statement: `UPDATE "${TABLE}" SET "a"=? WHERE pk=?`, Parameters: [{ S: 'a' }, { S: 'b' }] },
  { Statement: `DELETE FROM "${TABLE}" WHERE pk=? AND sk=?`, Parameters: [{ S: 'a' }] },
  { Statement: `DELETE FROM "elsewhere" WHERE pk=? AND sk=?`, Parameters: [{ S: 'a' }, { S: 'b' }] },
  { Statement: 'DELETE EVERYTHING', Parameters: [{ S: 'a' }] },
];

const statement = (choose: Choose): { readonly key: string; readonly statement: Call['input'] } => {
  if (choose(40) === 0) return { key: '', statement: oneOf(choose, malformed) };
  const key = choose(30) === 0 ? keyOf(choose) : plainKey(choose);
  const others = Object.fromEntries(
    names.filter(() => choose(3) === 0).map((name) => [name, valueFor(choose, name)]),
  );
  const condition = choose(2) === 0 ? { [oneOf(choose, names)]: goodValue(choose, 1) } : {};
  const { text, parameters } = shapeOf(choose, key, others, condition);
  return { key: JSON.stringify(key), statement: { Statement: text, Parameters: parameters } };
};

type Values = Readonly<Record<string, Wire>>;

const shapeOf = (
  choose: Choose,
  key: Values,
  others: Values,
  condition: Values,
): { readonly text: string; readonly parameters: readonly Wire[] } => {
  const bound = Object.entries({ ...key, ...condition });
  const where = bound.map(([name]) => `"${name}"=?`).join(' AND ');
  const values = (entries: readonly (readonly [string, Wire])[]) => entries.map(([, value]) => value);
  switch (choose(3)) {
    case 0: {
      const fields = Object.entries({ ...key, ...others });
      const shape = fields.map(([name]) => `'${name}':?`).join(', ');
      return { text: `INSERT INTO "${TABLE}" VALUE {${shape}}`, parameters: values(fields) };
    }
    case 1: {
      const sets = Object.entries({ w: goodValue(choose), ...others });
      const changes = sets.map(([name]) => `SET "${name}"=?`).join(' ');
      return { text: `UPDATE "${TABLE}" ${changes} WHERE ${where}`, parameters: values([...sets, ...bound]) };
    }
    default:
      return { text: `DELETE FROM "${TABLE}" WHERE ${where}`, parameters: values(bound) };
  }
};

const plainKey = (choose: Choose): Record<string, Wire> => ({
  pk: { S: oneOf(choose, partitions) },
  sk: { S: oneOf(choose, sorts) },
});
