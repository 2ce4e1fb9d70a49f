/** Times a bare loop that writes the items of a service again. The benches print their rates as shares of this rate. */
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { DynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { openBareTable, openEngine, tableKeys } from './bare-table.ts';
import { reportCost } from './cost.ts';
import type { Report } from './scenario.ts';
import type { Cost } from './service.ts';

/** An item in the JSON protocol. */
const itemSchema = v.record(
  v.string(),
  v.custom<AttributeValue>((value) => typeof value === 'object' && value !== null),
);
type StoredItem = v.InferOutput<typeof itemSchema>;
const scanSchema = v.looseObject({
  Items: v.array(itemSchema),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});

const STATEMENTS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 8;

/** Number of items read before they are written. Memory stays bounded, and the end of a round hardly counts. */
const ITEMS_PER_ROUND = 20_000;

/** Segments of the table that are read in parallel, and items per read. */
const SEGMENTS = 64;
const ITEMS_PER_PAGE = 500;

/** Number of items and seconds of their writes. */
export interface BareWrites {
  readonly items: number;
  readonly seconds: number;
}

/** An import, and the bare loop that wrote the same items. */
export interface ImportBesideBare {
  readonly title: string;
  readonly rows: number;
  readonly seconds: number;
  readonly cost: Cost;
  readonly bare: BareWrites;
}

/**
 * Writes all items of a table into an empty table of the same engine with the same client, and times only the writes.
 * With `dataDir` the new table is in files, otherwise in memory. The items come from all parts of the table, like the
 * items of an import, whose keys are hashes. In the order of a scan LevelDB would have nothing to merge, and would be a
 * fifth faster than any real writer.
 */
const bareWrites = async (from: DynamoDb, tableName: string, dataDir?: string): Promise<BareWrites> => {
  await using table = await openBareTable('bare', dataDir);
  const sum = { items: 0, seconds: 0 };
  for await (const round of roundsOf(from, tableName)) {
    const batches = [...batchesOf(round, STATEMENTS_PER_BATCH)];
    const started = performance.now();
    await mapLimited(batches, BATCHES_AT_ONCE, (batch) =>
      table.client.call('BatchExecuteStatement', { Statements: batch.map((item) => insertOf('bare', item)) }),
    );
    sum.seconds += (performance.now() - started) / 1000;
    sum.items += round.length;
  }
  return sum;
};

/** Time of a bare loop that writes the items of a stopped service, whose data is in `dataDir`, into files. */
export const writeAgain = async (dataDir: string, bareDir: string): Promise<BareWrites> => {
  const engine = await openEngine(join(dataDir, 'dynamodb'));
  try {
    const name = tableNames.table;
    await engine.createTable({ name, ...tableKeys });
    return await bareWrites(engine, name, bareDir);
  } finally {
    await engine.close();
  }
};

/**
 * Reports an import of `rows` rows beside the bare loop of its items: cost, rates and multiple of the time. `title`
 * starts the names of the figures. Returns the multiple.
 */
export const reportImport = (
  report: Report,
  { title, rows, seconds, cost, bare }: ImportBesideBare,
): number => {
  const ratio = seconds / bare.seconds;
  report.ratio(`${title}import`, ratio);
  report.ratio(`${title}rate of the import`, 1 / ratio, 'of the floor');
  reportCost(report, cost, { units: rows, of: 'row', prefix: title });
  report.count(`${title}items`, bare.items / rows, 'a row');
  report.time(`${title}rate`, rows / seconds, 'rows/s');
  report.time(`${title}bare loop`, bare.items / bare.seconds, 'items/s');
  return ratio;
};

/** The items of a table in rounds, one item of each segment in turn. */
async function* roundsOf(from: DynamoDb, tableName: string): AsyncGenerator<StoredItem[], void> {
  let segments = Array.from({ length: SEGMENTS }, (_, segment) => itemsOf(from, tableName, segment));
  let round: StoredItem[] = [];
  while (segments.length > 0) {
    const turn = await Promise.all(segments.map((segment) => segment.next()));
    for (const { done, value } of turn) if (done !== true) round.push(value);
    segments = segments.filter((_, index) => turn[index]?.done !== true);
    if (round.length < ITEMS_PER_ROUND && segments.length > 0) continue;
    yield round;
    round = [];
  }
}

async function* itemsOf(
  from: DynamoDb,
  tableName: string,
  segment: number,
): AsyncGenerator<StoredItem, undefined> {
  let start: object | undefined;
  do {
    const { body } = await from.call('Scan', {
      TableName: tableName,
      Segment: segment,
      TotalSegments: SEGMENTS,
      Limit: ITEMS_PER_PAGE,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    const page = v.parse(scanSchema, body);
    yield* page.Items;
    start = page.LastEvaluatedKey;
  } while (start);
}

/** The statement that inserts an item into a table. */
export const insertOf = (table: string, item: StoredItem) => ({
  Statement: `INSERT INTO "${table}" VALUE {${Object.keys(item)
    .map((name) => `'${name}':?`)
    .join(', ')}}`,
  Parameters: Object.values(item),
});
