/** What a bare loop needs to write the items that a service left behind: the floor that its rates are shares of. */
import { type AttributeValue, BatchExecuteStatementCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { DynamoDb } from '../local/services/dynamodb/dynamodb.ts';
import { batchesOf, mapLimited } from '../shared/runtime/pool.ts';
import { openBareTable } from './bare-table.ts';

/** An item on the wire. */
const itemSchema = v.record(
  v.string(),
  v.custom<AttributeValue>((value) => typeof value === 'object' && value !== null),
);
type WireItem = v.InferOutput<typeof itemSchema>;
const scanSchema = v.looseObject({
  Items: v.array(itemSchema),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});

const STATEMENTS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 8;
/** Items that are read before they are written: memory stays bounded, and the end of a round hardly counts. */
const ITEMS_PER_ROUND = 20_000;

/** Items and the seconds that writing them took. */
export interface BareWrites {
  readonly items: number;
  readonly seconds: number;
}

/**
 * Writes all items of a table into an empty one of the same engine with the same client, and times the writes alone. With
 * `dataDir` that table is in files there, else in memory.
 */
export const bareWrites = async (
  from: DynamoDb,
  tableName: string,
  dataDir?: string,
): Promise<BareWrites> => {
  await using table = await openBareTable('bare', dataDir);
  const sum = { items: 0, seconds: 0 };
  for await (const round of roundsOf(from, tableName)) {
    const batches = [...batchesOf(round, STATEMENTS_PER_BATCH)];
    const started = performance.now();
    await mapLimited(batches, BATCHES_AT_ONCE, (batch) =>
      table.client.send(new BatchExecuteStatementCommand({ Statements: batch.map(insertOf) })),
    );
    sum.seconds += (performance.now() - started) / 1000;
    sum.items += round.length;
  }
  return sum;
};

async function* roundsOf(from: DynamoDb, tableName: string): AsyncGenerator<WireItem[], void> {
  let round: WireItem[] = [];
  let start: object | undefined;
  do {
    const { body } = await from.call('Scan', {
      TableName: tableName,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    const page = v.parse(scanSchema, body);
    round.push(...page.Items);
    start = page.LastEvaluatedKey;
    if (start && round.length < ITEMS_PER_ROUND) continue;
    yield round;
    round = [];
  } while (start);
}

const insertOf = (item: WireItem) => ({
  Statement: `INSERT INTO "bare" VALUE {${Object.keys(item)
    .map((name) => `'${name}':?`)
    .join(', ')}}`,
  Parameters: Object.values(item),
});
