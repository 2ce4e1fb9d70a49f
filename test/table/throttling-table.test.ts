/** Bulk and interactive work on the embedded DynamoDB with few units, in virtual time. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { rateControl } from '../../shared/table/rate-control.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { seeded } from '../ingest/interleave.ts';
import { REGION } from '../../local/core/arn.ts';
import { SideTime } from '../support/side-time.ts';

const TABLE = 'tidemark';
const UNITS = { write: 200, read: 600 };
const CALL_MS = 8;
const caller = { accessKeyId: 'AKIAwriter', name: 'writer', principal: 'writer', policy: [] };
const START = 1_800_000_000_000;

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A table of few units. Each process has a table module of its own, with or without rate control. */
const openTable = async (time: SideTime) => {
  const clock = (): number => START + time.now;
  const db = await createDynamoDb({
    kindOf: () => 'item',
    throughput: { units: UNITS, now: clock },
  });
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await db.createTable({ name: TABLE, partitionKey: key('pk'), sortKey: key('sk') });
  const choose = seeded(7);
  const handle = async ({ method, path, headers, body }: WireRequest) => {
    await time.sleep(CALL_MS);
    const request = {
      method,
      path,
      query: new URLSearchParams(),
      body: Buffer.from(v.parse(v.instance(Uint8Array), body)),
    };
    const answer = await time.busy(async () => db.service.handle({ ...request, headers }, caller));
    const sent = Buffer.from(v.parse(v.string(), answer.body));
    return { response: { statusCode: answer.status, headers: { ...answer.headers }, body: sent } };
  };
  const process = (load: 'bulk' | 'interactive'): Table => {
    const control = () => rateControl({ clock, sleep: (ms) => time.sleep(ms) });
    return dynamoTable({
      client: dynamoDb({
        region: REGION,
        endpoint: 'http://dynamodb.test',
        credentials: { accessKeyId: 'AKIAwriter', secretAccessKey: 'secret' },
        signer: { sign: (request) => Promise.resolve(request) },
        maxAttempts: 1,
        handler: {
          handle,
        },
      }),
      tableName: TABLE,
      ids: systemIds,
      pause: (round) => time.sleep(choose(25 * 2 ** Math.min(round, 4))),
      ...(load === 'bulk' ? { rates: { read: control(), write: control() } } : {}),
    });
  };
  return { db, process };
};

/** Rows of a property, each in a partition of its own. */
const rowsOf = (property: number, from: number, count: number): readonly Write[] =>
  Array.from({ length: count }, (_, row) => ({
    kind: 'insert',
    key: { pk: `P#${property}#${from + row}`, sk: 'row' },
    set: { a: 'x' },
  }));

/** Writes rows in slices, as a worker of imports does; returns the milliseconds that it took. */
const importRows = async (table: Table, time: SideTime, rows: readonly Write[]): Promise<number> => {
  const since = time.now;
  for (let from = 0; from < rows.length; from += 200) {
    const outcomes = await table.writeMany(rows.slice(from, from + 200));
    expect(new Set(outcomes)).toEqual(new Set(['applied']));
  }
  return time.now - since;
};

it('imports of two properties use a small table, neither starves, and lookups and single writes go on', async () => {
  const time = new SideTime();
  const { db, process } = await openTable(time);
  const large = 3_000;
  const small = 300;
  const spent = { large: 0, small: 0 };
  const waits: number[] = [];
  const lookups = async (): Promise<void> => {
    const table = process('interactive');
    for (let n = 0; n < 30; n += 1) {
      const since = time.now;
      await table.get({ pk: 'P#1#0', sk: 'row' });
      await table.put({ pk: `SINGLE#${n}`, sk: 'write' }, {});
      waits.push(time.now - since);
      await time.sleep(500);
    }
  };
  await time.run([
    async () => {
      const half = rowsOf(1, 0, large / 2);
      const other = rowsOf(1, large / 2, large / 2);
      const tables = [process('bulk'), process('bulk')] as const;
      const [one, two] = await Promise.all([
        importRows(tables[0], time, half),
        importRows(tables[1], time, other),
      ]);
      spent.large = Math.max(one, two);
    },
    async () => {
      spent.small = await importRows(process('bulk'), time, rowsOf(2, 0, small));
    },
    lookups,
  ]);
  const units = large + small + waits.length;
  // At least 80 % of the units were used for writes that succeeded.
  expect((units / UNITS.write) * 1_000).toBeGreaterThan(0.8 * spent.large);
  // The small import has a third of the processes: with a fair share of the table it takes 4.5 s.
  expect(spent.small).toBeLessThan(3 * 4_500);
  expect(Math.max(...waits)).toBeLessThan(2_000);
  // The imports follow the speed of the table: they ask for little more than it serves.
  const throttles = db.loads(TABLE).reduce((sum, { writeThrottles }) => sum + writeThrottles, 0);
  expect(throttles).toBeLessThan(units);
  const { body } = await db.call('Scan', { TableName: TABLE, Select: 'COUNT' });
  expect(body['Count']).toBe(units);
  await db.close();
});
