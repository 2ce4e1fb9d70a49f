/**
 * What an import costs: `node bench/import.ts [rows]`. Runs the sample file through the whole service on the embedded
 * cloud and prints the rate, the same as a share of a bare loop that only writes the items the import left behind
 * (same engine, same client, same run), and request units and calls per row.
 */
import { type AttributeValue, BatchExecuteStatementCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { signIn, type ApiClient } from '../cli/api-client.ts';
import { makeSample, sampleDefinition } from '../cli/sample.ts';
import { count, table } from '../cli/terminal.ts';
import { type Cloud, startCloud } from '../local/cloud.ts';
import { createGateway } from '../local/gateway/gateway.ts';
import { createDynamoDb } from '../local/services/dynamodb/dynamodb.ts';

const rows = Number(process.argv[2] ?? 10_000);
const sample = makeSample(rows);
const identified = v.looseObject({ id: v.number() });
const uploadSchema = v.looseObject({
  job_id: v.number(),
  url: v.string(),
  headers: v.record(v.string(), v.string()),
});
const jobSchema = v.looseObject({ counts: v.looseObject({ status: v.string(), completed: v.number() }) });
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

/** Imports the sample once and returns the seconds from the upload to the end of the job. */
const importSample = async (client: ApiClient, property: number): Promise<number> => {
  const { id } = await client.post(`/v1/${property}/imports`, sampleDefinition, identified);
  const path = `/v1/${property}/imports/${id}`;
  const body = Buffer.from(sample.csv);
  const file = { file_name: 'sample.csv', size: body.length };
  const upload = await client.post(`${path}/uploads`, file, uploadSchema);
  const started = performance.now();
  await (await fetch(upload.url, { method: 'PUT', headers: upload.headers, body })).arrayBuffer();
  for (;;) {
    const { counts } = await client.get(`${path}/jobs/${upload.job_id}`, jobSchema);
    if (counts.status === 'complete-with-errors') break;
    if (counts.status === 'failed') throw new Error('the import failed');
    await sleep(100);
  }
  return (performance.now() - started) / 1000;
};

/** All items of the service's table. */
const storedItems = async ({ parts }: Cloud, tableName: string): Promise<WireItem[]> => {
  const items: WireItem[] = [];
  let start: object | undefined;
  do {
    const { body } = await parts.storage.table.call('Scan', {
      TableName: tableName,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    const page = v.parse(scanSchema, body);
    items.push(...page.Items);
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

/** Seconds that a bare loop of the same client needs to write the items into an empty table of the same engine. */
const bareWrites = async (items: readonly WireItem[]): Promise<number> => {
  const scope = { region: 'eu-west-1', accountId: '000000000000' };
  const engine = await createDynamoDb({ scope });
  await engine.createTable({
    name: 'bare',
    partitionKey: { name: 'pk', type: 'S' },
    sortKey: { name: 'sk', type: 'S' },
  });
  const gateway = await createGateway();
  gateway.addService(engine.service);
  const credentials = { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' };
  const policy = [{ effect: 'Allow' as const, actions: ['*'], resources: ['*'], conditions: {} }];
  gateway.registerCaller({ ...credentials, name: 'bench', principal: 'bench', policy });
  const client = new DynamoDBClient({ region: scope.region, endpoint: gateway.url, credentials });
  const insertOf = (item: WireItem) => ({
    Statement: `INSERT INTO "bare" VALUE {${Object.keys(item)
      .map((name) => `'${name}':?`)
      .join(', ')}}`,
    Parameters: Object.values(item),
  });
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const Statements = items.slice(next, (next += 25)).map(insertOf);
      await client.send(new BatchExecuteStatementCommand({ Statements }));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 8 }, lane));
  const seconds = (performance.now() - started) / 1000;
  client.destroy();
  await gateway.close();
  await engine.close();
  return seconds;
};

/** Sums the meter's lines by what `nameOf` calls them, per row of the file. */
const perRow = (cloud: Cloud): void => {
  const sums = new Map<string, { calls: number; reads: number; writes: number; bytes: number }>();
  for (const {
    caller,
    action,
    kind,
    calls,
    readUnits,
    writeUnits,
    bytes,
  } of cloud.gateway.meter.snapshot()) {
    const name = `${caller}  ${action}  ${kind}`;
    const sum = sums.get(name) ?? { calls: 0, reads: 0, writes: 0, bytes: 0 };
    sums.set(name, {
      calls: sum.calls + calls,
      reads: sum.reads + readUnits,
      writes: sum.writes + writeUnits,
      bytes: sum.bytes + bytes,
    });
  }
  const of = (value: number): string => (value / rows).toFixed(3).padStart(9);
  const largestFirst = [...sums].sort(([, left], [, right]) => right.calls - left.calls);
  console.log('\nper row: calls, read units, write units, bytes');
  table(
    largestFirst
      .filter(([, { calls }]) => calls / rows >= 0.0005)
      .map(([name, { calls, reads, writes, bytes }]) => [
        name,
        `${of(calls)} ${of(reads)} ${of(writes)} ${of(bytes)}`,
      ]),
  );
};

const cloud = await startCloud();
try {
  const { base_url, auth_url, docs_url, ...accounts } = cloud.endpoints;
  const account = v.parse(
    v.object({ property_id: v.number(), client_id: v.string(), username: v.string(), password: v.string() }),
    accounts,
  );
  const client = await signIn({ base_url, auth_url, docs_url, ...account });
  cloud.gateway.meter.reset();
  const cold = await importSample(client, account.property_id);
  const items = await storedItems(cloud, cloud.deployment.tables[0]?.name ?? '');
  perRow(cloud);
  const bare = await bareWrites(items);
  console.log('');
  table([
    ['rows', count(rows)],
    ['import', `${count(Math.round(rows / cold))} rows/s, ${cold.toFixed(1)} s`],
    ['bare loop', `${count(items.length)} items in ${bare.toFixed(1)} s`],
    ['share', `${((bare / cold) * 100).toFixed(0)} %`],
  ]);
} finally {
  await cloud.stop();
}
