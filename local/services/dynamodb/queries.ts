/**
 * Queries: adds DynamoDB's missing checks to dynalite's queries, and answers eventually consistent queries with earlier
 * states.
 */
import * as v from 'valibot';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import type { AttributeValue, Item } from './types.ts';

const Value = v.custom<AttributeValue>((value) => typeof value === 'object' && value !== null);
const ItemShape = v.custom<Item>((item) => typeof item === 'object' && item !== null);
const Query = v.object({
  TableName: v.string(),
  IndexName: v.optional(v.string()),
  KeyConditions: v.record(
    v.string(),
    v.object({ ComparisonOperator: v.string(), AttributeValueList: v.array(Value) }),
  ),
  ExclusiveStartKey: v.optional(ItemShape),
  ScanIndexForward: v.optional(v.boolean(), true),
  ConsistentRead: v.optional(v.boolean(), false),
  Select: v.optional(v.string()),
  ProjectionExpression: v.optional(v.string()),
  AttributesToGet: v.optional(v.array(v.string())),
});

/** The indexes of the first and last value of a range in a condition, by operator. */
const BOUNDS: Readonly<Record<string, { readonly first?: number; readonly last?: number }>> = {
  GE: { first: 0 },
  LE: { last: 0 },
  BETWEEN: { first: 0, last: 1 },
};

/**
 * Refuses queries that DynamoDB refuses and dynalite accepts: an empty text in a condition on a key, a `Select` that
 * contradicts the rest, and a start key at the final bound of the query, after which no item can follow. `data` is a
 * query that dynalite has validated.
 */
export const refuseLooseQuery = (engine: Engine, data: unknown): void => {
  const query = v.parse(Query, data);
  const { TableName, KeyConditions, ExclusiveStartKey, ScanIndexForward } = query;
  refuseContradiction(query);
  const empty = Object.entries(KeyConditions).find(([, { AttributeValueList }]) =>
    AttributeValueList.some(({ S, B }) => S === '' || B === ''),
  );
  if (empty) {
    throw new ServiceError(
      'ValidationException',
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${empty[0]}`,
    );
  }
  const sortKey = engine.table(TableName).KeySchema[1]?.AttributeName ?? '';
  const condition = KeyConditions[sortKey];
  const start = ExclusiveStartKey?.[sortKey];
  const bounds = BOUNDS[condition?.ComparisonOperator ?? ''];
  const end = ScanIndexForward ? bounds?.last : bounds?.first;
  const bound = end === undefined ? undefined : condition?.AttributeValueList[end];
  if (start && bound && JSON.stringify(start) === JSON.stringify(bound)) {
    throw new ServiceError(
      'ValidationException',
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
};

const refuseContradiction = ({
  IndexName,
  Select,
  ProjectionExpression,
}: v.InferOutput<typeof Query>): void => {
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    throw new ServiceError(
      'ValidationException',
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
  }
  if (ProjectionExpression !== undefined && Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES') {
    throw new ServiceError(
      'ValidationException',
      `Cannot specify the ProjectionExpression when choosing to get ${Select}`,
    );
  }
};

const Answer = v.looseObject({ Items: v.optional(v.array(ItemShape)), Count: v.number() });

/**
 * The answer of an eventually consistent query: recently written items in their earlier state, without items that did
 * not exist then. A recently deleted item stays deleted. Queries of an index, or for some attributes only, return the
 * current items.
 */
export const earlierAnswer = (
  engine: Engine,
  data: unknown,
  answer: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const { TableName, IndexName, ConsistentRead, ...asked } = v.parse(Query, data);
  const isWhole = !asked.Select && !asked.ProjectionExpression && !asked.AttributesToGet;
  if (ConsistentRead || IndexName !== undefined || !isWhole) return answer;
  const { Items, ...rest } = v.parse(Answer, answer);
  if (!Items) return answer;
  const table = engine.table(TableName);
  const items = Items.flatMap((item) => {
    const earlier = engine.earlier(table, engine.keyOf(table, item));
    if (!earlier) return [item];
    return earlier.item ? [earlier.item] : [];
  });
  return { ...rest, Items: items, Count: rest.Count - (Items.length - items.length) };
};
