import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { fromAttributeValues, toAttributeValues } from './attribute-values.ts';
import type { DynamoTableDeps } from './dynamo-table.ts';
import type { Key } from './keys.ts';
import { countUnits, untilServed, uncontrolled } from './rate-control.ts';

/** Other kinds of items may use the attribute with another type. */
const maybeNumber = v.fallback(v.optional(v.number()), undefined);

/** Shape of `ScannedItem`. */
export const scannedItem = v.object({
  pk: v.string(),
  sk: v.string(),
  property: maybeNumber,
  revision: maybeNumber,
});

/** An item as a scan reads it: its key, and the two attributes that name its owner. */
export type ScannedItem = v.InferOutput<typeof scannedItem>;

/** One page of a scan. `next` is the start of the next page; absent at the end. */
export interface ScanPage {
  readonly items: readonly ScannedItem[];
  readonly next?: Key;
}

/**
 * Reads a whole table, page by page, in no useful order. Reads are strongly consistent. A scan reads and pays
 * for every item, so only the operator's command that deletes a property uses it; no client can cause a scan.
 */
export interface TableScan {
  scan(after: Key | null): Promise<ScanPage>;
}

/** The scan of a DynamoDB table; a page is 1 MB of items. */
export const dynamoScan = ({
  client,
  tableName,
  pause,
  rates = uncontrolled,
}: DynamoTableDeps): TableScan => ({
  scan: async (after) => {
    const page = {
      ...countUnits,
      TableName: tableName,
      ConsistentRead: true,
      ProjectionExpression: '#pk, #sk, #property, #revision',
      ExpressionAttributeNames: {
        '#pk': 'pk',
        '#sk': 'sk',
        '#property': 'property',
        '#revision': 'revision',
      },
      ...(after && { ExclusiveStartKey: toAttributeValues({ pk: after.pk, sk: after.sk }) }),
    };
    const answer = await untilServed({ pause, control: rates.read }, () => client.call('Scan', page));
    const items = (answer.Items ?? []).map(parseItem);
    if (!answer.LastEvaluatedKey) return { items };
    const { pk, sk } = parseItem(answer.LastEvaluatedKey);
    return { items, next: { pk, sk } };
  },
});

const parseItem = (item: Record<string, AttributeValue>): ScannedItem =>
  v.parse(scannedItem, fromAttributeValues(item));
