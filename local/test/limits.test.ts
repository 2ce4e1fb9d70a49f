import { DynamoDBClient, PutItemCommand, ThrottlingException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { callersOf } from '../assembly/callers.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { runnableFunctions } from '../cloud/functions.ts';
import type { Strictness } from '../core/strictness.ts';
import { accessTo, cloudsOfTests } from './fixtures/cloud.ts';

const start = cloudsOfTests();

/** Puts an item of 1 KB at most. The client does not repeat a throttled call. */
const putter = (cloud: Cloud): ((pk: string) => Promise<unknown>) => {
  const client = new DynamoDBClient({ ...accessTo(cloud), maxAttempts: 1 });
  const TableName = cloud.deployment.tables[0]?.name;
  return (pk) => client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, sk: { S: 'item' } } }));
};

describe('a running cloud with limits', () => {
  it('has a table whose units return with the clock of the cloud', async () => {
    let now = Date.now();
    const cloud = await start({ strictness: { tableUnits: { write: 3, read: 3 } }, now: () => now });
    const put = putter(cloud);
    const fill = async (): Promise<void> => {
      for (const pk of ['a', 'b', 'c']) await put(pk);
    };
    await fill();
    await expect(put('d')).rejects.toBeInstanceOf(ThrottlingException);
    now += 30 * 60_000;
    await fill();
    await expect(put('d')).rejects.toBeInstanceOf(ThrottlingException);
    const loads = cloud.parts.storage.table.loads(cloud.deployment.tables[0]?.name ?? '');
    expect(loads.map(({ writeUnits, writeThrottles }) => [writeUnits, writeThrottles])).toEqual([
      [3, 1],
      [3, 1],
    ]);
  });

  it('has AWS calls and cold starts that take their time', async () => {
    const cloud = await start({ strictness: { latency: { p50: 300, p99: 300 } } });
    const put = putter(cloud);
    const started = performance.now();
    await put('a');
    // Two timers, each of which may end a part of a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(298);
    const coldStarts = (strictness: Strictness): readonly number[] =>
      runnableFunctions(cloud.deployment, callersOf(cloud.deployment), {
        gatewayUrl: cloud.gateway.url,
        strictness,
        isSevere: true,
      }).map(({ coldStartMs = 0 }) => coldStartMs);
    expect(Math.min(...coldStarts({ latency: { p50: 4, p99: 10 } }))).toBeGreaterThan(400);
    expect(Math.max(...coldStarts({}))).toBe(0);
  });
});
