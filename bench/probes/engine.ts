/**
 * Speed of the embedded table's writes and reads, and the cost of each path: `node bench/probes/engine.ts [items]`. One process
 * holds the table, the gateway and the client, like the embedded cloud and the tests.
 */
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { openBareTable } from '../support/bare-table.ts';

const TableName = 'bench';
const INSERT = `INSERT INTO "${TableName}" VALUE {'pk':?, 'sk':?, 'a':?, 'w':?}`;

/** Concurrent requests, as many as a worker uses. */
const CONCURRENCY = 8;

/** Items per partition, as for 256 neighbouring profiles. */
const PARTITION = 256;

const items = Number(process.argv[2] ?? 20_000);
await using table = await openBareTable(TableName);
const { client, engine } = table;

const keyOf = (road: string, index: number) => ({
  pk: { S: `${road}#${Math.floor(index / PARTITION)}` },
  sk: { S: String(index % PARTITION).padStart(3, '0') },
});
const itemOf = (road: string, index: number) => ({
  ...keyOf(road, index),
  a: { N: String(index) },
  w: { S: 'nonce' },
});
const insertOf = (road: string, index: number) => ({
  Statement: INSERT,
  Parameters: Object.values(itemOf(road, index)),
});

/** Runs `work` over 0…items in steps, with bounded concurrency, and prints a line. */
const measure = async (
  name: string,
  step: number,
  work: (indices: number[]) => Promise<unknown>,
): Promise<void> => {
  const batches = [...batchesOf(Array.from({ length: items }).keys(), step)];
  const started = performance.now();
  await mapLimited(batches, CONCURRENCY, work);
  const seconds = (performance.now() - started) / 1000;
  const rate = Math.round(items / seconds)
    .toLocaleString('en')
    .padStart(9);
  console.log(`${name.padEnd(44)}${rate} items/s`);
};

console.log(`${items.toLocaleString('en')} items, ${CONCURRENCY} requests at once`);
await measure('PutItem over HTTP', 1, ([index = 0]) =>
  client.call('PutItem', { TableName, Item: itemOf('put', index) }),
);
await measure('PartiQL insert over HTTP, 25 a request', 25, (indices) =>
  client.call('BatchExecuteStatement', { Statements: indices.map((index) => insertOf('sql', index)) }),
);
await measure('PartiQL insert in-process, 25 a request', 25, (indices) =>
  engine.call('BatchExecuteStatement', { Statements: indices.map((index) => insertOf('direct', index)) }),
);
await measure('BatchGetItem over HTTP, 100 a request', 100, (indices) => {
  const Keys = indices.map((index) => keyOf('sql', index));
  return client.call('BatchGetItem', { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
});
await measure(`Query over HTTP, ${PARTITION} a partition`, PARTITION, ([index = 0]) =>
  client.call('Query', {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keyOf('sql', index).pk },
    ConsistentRead: true,
  }),
);
