/**
 * Replays the steps of every table in memory on DynamoDB Local and the embedded engine, after the tests of a file: so the
 * tests that use the quick table hold for DynamoDB too.
 */
import { afterAll, expect, inject } from 'vitest';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem, Table } from '../../shared/table/table.ts';
import { clientOf, startGateway } from '../../local/test/gateway/cloud.ts';
import { MemoryTable, type Step } from '../support/memory-table.ts';
import { bothEngines } from './compare.ts';
import { externalAt } from './external.ts';

/** Steps of a table and of a file that are replayed. A test of many interleavings takes a hundred times as many. */
const STEPS_OF_TABLE = 100;
const STEPS_OF_FILE = 400;

const recordings: Step[][] = [];
let left = STEPS_OF_FILE;

MemoryTable.observe = () => {
  const steps: Step[] = [];
  recordings.push(steps);
  return (step) => {
    if (left === 0 || steps.length === STEPS_OF_TABLE) return;
    left -= 1;
    steps.push(step);
  };
};

afterAll(async () => {
  MemoryTable.observe = undefined;
  if (left === STEPS_OF_FILE) return;
  const replay = await openReplay();
  for (const [at, steps] of recordings.entries()) {
    for (const step of steps) {
      const { told, found } = await replay.play(step, `R${at}~`);
      expect(found, `${JSON.stringify(step).slice(0, 1_000)} of table ${at}`).toEqual(told);
    }
  }
  await replay.close();
});

/** What the table in memory told, and what DynamoDB told. */
interface Results {
  readonly told: unknown;
  readonly found: unknown;
}

const openReplay = async () => {
  const both = bothEngines(await createDynamoDb(), externalAt(inject('dynamoDbLocal') ?? ''));
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await both.createTable({ name: 'tidemark', partitionKey: key('pk'), sortKey: key('sk') });
  const gateway = await startGateway([both.service]);
  const client = dynamoDb(clientOf(gateway));
  const nonces: string[] = [];
  const ids = { ...systemIds, nonce: () => nonces.shift() ?? '' };
  const table = dynamoTable({ client, tableName: 'tidemark', ids, pause: () => Promise.resolve() });
  return {
    play: (step: Step, prefix: string): Promise<Results> => {
      if ('w' in step) nonces.splice(0, Infinity, step.w);
      if ('nonces' in step) nonces.splice(0, Infinity, ...step.nonces);
      return playOn(table, step, prefix);
    },
    close: async () => {
      client.destroy();
      await gateway.close();
      await both.close();
    },
  };
};

/** Carries a step out under another partition key: many tables share one here. */
const playOn = async (table: Table, step: Step, prefix: string): Promise<Results> => {
  const moved = (key: Key): Key => ({ pk: `${prefix}${key.pk}`, sk: key.sk });
  const back = (item: StoredItem | undefined) => item && { ...item, pk: item.pk.slice(prefix.length) };
  switch (step.kind) {
    case 'read':
      return { told: step.items, found: (await table.getMany(step.keys.map(moved))).map(back) };
    case 'query': {
      const { items, next } = await table.query(`${prefix}${step.pk}`, step.range);
      // DynamoDB may promise a further page that is empty.
      const ends = step.page.next === undefined ? {} : { next };
      return { told: step.page, found: { items: items.map(back), ...ends } };
    }
    case 'write':
      return {
        told: step.outcome,
        found: await table.write({ ...step.write, key: moved(step.write.key) }),
      };
    case 'transaction': {
      const writes = step.writes.map((write) => ({ ...write, key: moved(write.key) }));
      return { told: step.refused, found: await table.transact(writes) };
    }
    case 'put':
      await table.put(moved(step.key), step.set);
      return { told: undefined, found: undefined };
    case 'increment':
      return { told: step.value, found: await table.increment(moved(step.key), step.by, step.options) };
  }
};
