import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { Deadline, unitsOfWork, wasThrottled, withDeadline } from '../../shared/runtime/deadline.ts';
import { whileThrottled } from '../../shared/runtime/retry.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { type RateControl, rateControl } from '../../shared/table/rate-control.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import { dynamoScan } from '../../shared/table/table-scan.ts';
import { openCloud } from '../ingest/slow-cloud.ts';
import { SideTime } from '../support/side-time.ts';
import { answeringTable, found, NONCE, scriptedTable, type ScriptedAnswer } from './scripted-client.ts';

const key = { pk: 'A', sk: 'B' };
const insert: Write = { kind: 'insert', key, set: {} };
const codes = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'];
const throttled = { exception: 'ThrottlingException' };
const done: ScriptedAnswer = { Responses: [{}] };
const item = found({ pk: { S: 'A' }, sk: { S: 'B' }, w: { S: 'w' } });

/** Every call of the port that reaches the table, with an answer to it. */
const calls: Readonly<Record<string, readonly [(table: Table) => Promise<unknown>, ScriptedAnswer]>> = {
  'a write': [(table) => table.write(insert), done],
  'a read': [(table) => table.get(key), item],
  'a query': [(table) => table.query('A'), { Items: [] }],
  'a put': [(table) => table.put(key, {}), {}],
  'an increment': [(table) => table.increment(key, 1), { Attributes: { value: { N: '1' } } }],
};

const reads = new Set(['a read', 'a query']);

describe.each(Object.entries(calls))('%s that is throttled as a whole', (name, [call, answer]) => {
  it.each(codes)('is sent again after %s until the table serves it', async (code) => {
    const refused = Array.from({ length: 40 }, () => ({ exception: code }));
    const { table, sent } = scriptedTable(...refused, answer);
    await call(table);
    expect(sent).toHaveLength(refused.length + 1);
  });

  it('ends as unavailable: a write at the deadline of its work, a read after two seconds', async () => {
    let now = 0;
    const pause = () => Promise.resolve(void (now += 100));
    const table = dynamoTable(answeringTable(() => throttled, { pause }));
    const work = new Deadline({ clock: () => now, until: 60_000 }).run(async () => {
      await expect(call(table)).rejects.toBeInstanceOf(UnavailableError);
      return wasThrottled();
    });
    expect(await work).toBe(true);
    expect(now).toBe(reads.has(name) ? 2_100 : 60_000);
  });
});

it.each(Object.entries(calls))(
  '%s of interactive work is sent again after shorter pauses than that of bulk work',
  async (_, [call, answer]) => {
    const longestPause = async (isBulk: boolean): Promise<number> => {
      const attempts: number[] = [];
      const answers = [...Array.from({ length: 10 }, () => throttled), answer];
      const pause = (attempt: number): Promise<void> => Promise.resolve(void attempts.push(attempt));
      const control = rateControl({ clock: () => 0, sleep: () => Promise.resolve() });
      const paced = { ...control, admit: () => Promise.resolve() };
      const rates = isBulk ? { rates: { read: paced, write: paced } } : {};
      await call(dynamoTable(answeringTable(() => answers.shift() ?? throttled, { pause, ...rates })));
      return Math.max(...attempts);
    };
    expect(await longestPause(false)).toBeLessThan(await longestPause(true));
  },
);

it('a scan that is throttled as a whole is sent again', async () => {
  const answers: ScriptedAnswer[] = [throttled, { Items: [] }];
  const table = dynamoScan(answeringTable(() => answers.shift() ?? throttled));
  expect(await table.scan(null)).toEqual({ items: [] });
});

it('work knows the units that tables served to it', async () => {
  const ConsumedCapacity = [{ TableName: 'tidemark', CapacityUnits: 7 }];
  const { table } = scriptedTable({ Responses: {}, ConsumedCapacity }, throttled, {
    ...{ Items: [], ConsumedCapacity },
  });
  const outer = new Deadline({ clock: () => 0, until: 1 });
  await outer.run(() =>
    withDeadline({ clock: () => 0, until: 1 }, async () => {
      await table.get(key);
      await table.query('A');
      expect(unitsOfWork()).toBe(14);
    }),
  );
  expect(outer.units).toBe(14);
});

it('work that no table throttles knows so', async () => {
  const { table } = scriptedTable(done);
  const work = new Deadline({ clock: () => 0, until: 1 }).run(async () => {
    await table.write(insert);
    return wasThrottled();
  });
  expect(await work).toBe(false);
});

describe('a throttle after a lost answer', () => {
  it.each([
    [NONCE, 'applied'],
    ['another', 'refused'],
  ])(
    'leaves open whether the write was applied, so the nonce decides: %s, so %s',
    async (stored, outcome) => {
      const { table } = scriptedTable(
        'lost',
        throttled,
        { Responses: [{ Error: { Code: 'DuplicateItem', Message: '' } }] },
        found({ pk: { S: 'A' }, sk: { S: 'B' }, w: { S: stored } }),
      );
      expect(await table.write(insert)).toBe(outcome);
    },
  );
});

const batchInput = v.object({ Statements: v.array(v.unknown()) });
const limitExceeded = { Error: { Code: 'ThrottlingError', Message: '' } };

/** A control that counts what it is told. */
const counting = () => {
  const told = { admitted: 0, served: 0, throttled: 0 };
  const control: RateControl = {
    patience: whileThrottled,
    admit: (units) => Promise.resolve(void (told.admitted += units)),
    answered: ({ served, throttled: refused }) => {
      told.served += served;
      told.throttled += refused;
    },
  };
  return { told, control };
};

describe('the rate control of a table', () => {
  it('hears of served and throttled writes, of a part of a batch and of a whole one', async () => {
    const write = counting();
    let round = 0;
    const deps = answeringTable(
      ({ input }) => {
        round += 1;
        if (round === 1) return throttled;
        const { Statements } = v.parse(batchInput, input);
        return { Responses: Statements.map((_, at) => (round === 2 && at > 0 ? limitExceeded : {})) };
      },
      { rates: { read: counting().control, write: write.control } },
    );
    const writes = [1, 2, 3].map((n): Write => ({ kind: 'insert', key: { pk: 'A', sk: `${n}` }, set: {} }));
    expect(await dynamoTable(deps).writeMany(writes)).toEqual(['applied', 'applied', 'applied']);
    expect(write.told).toEqual({ admitted: 3 + 3 + 2, served: 1 + 2, throttled: 3 + 2 });
  });

  it('hears of unprocessed keys and of consumed units', async () => {
    const read = counting();
    const answers: ScriptedAnswer[] = [
      { Responses: {}, UnprocessedKeys: { tidemark: { Keys: [{ pk: { S: 'A' }, sk: { S: 'B' } }] } } },
      {
        Responses: { tidemark: [{ pk: { S: 'A' }, sk: { S: 'B' }, w: { S: 'w' } }] },
        ConsumedCapacity: [{ TableName: 'tidemark', CapacityUnits: 7 }],
      },
    ];
    const rates = { read: read.control, write: counting().control };
    const table = dynamoTable(answeringTable(() => answers.shift() ?? throttled, { rates }));
    expect(await table.get(key)).toMatchObject(key);
    expect(read.told).toEqual({ admitted: 2, served: 7, throttled: 1 });
  });

  it('does not hear of a refused write or of a failing table as throttled', async () => {
    const write = counting();
    const failed = (Code: string) => ({ Responses: [{ Error: { Code, Message: '' } }] });
    const answers = [failed('InternalServerError'), failed('TransactionConflict'), done];
    const rates = { read: counting().control, write: write.control };
    const table = dynamoTable(answeringTable(() => answers.shift() ?? done, { rates }));
    expect(await table.write(insert)).toBe('applied');
    expect(write.told).toMatchObject({ throttled: 0 });
  });
});

it('the SDK retries failures and leaves throttles to the table', async () => {
  const { table, sent } = scriptedTable('lost', throttled, done);
  const pauses: number[] = [];
  await table.write(insert);
  expect(sent).toHaveLength(3);
  const rounds = dynamoTable(
    answeringTable(
      (() => {
        const answers: ScriptedAnswer[] = ['lost', done];
        return () => answers.shift() ?? done;
      })(),
      { pause: (round) => Promise.resolve(void pauses.push(round)) },
    ),
  );
  await rounds.write(insert);
  expect(pauses).toEqual([]);
});

describe('an answer that DynamoDB cut at its size', () => {
  const keys = Array.from({ length: 3 }, (_, n) => ({ pk: 'A', sk: `${n}` }));
  const wire = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
  const read = async (units: number) => {
    const control = counting();
    const answers: ScriptedAnswer[] = [
      {
        Responses: { tidemark: wire.slice(0, 1).map((item) => ({ ...item, w: { S: 'w' } })) },
        UnprocessedKeys: { tidemark: { Keys: wire.slice(1) } },
        ConsumedCapacity: [{ TableName: 'tidemark', CapacityUnits: units }],
      },
      { Responses: { tidemark: wire.slice(1).map((item) => ({ ...item, w: { S: 'w' } })) } },
    ];
    const pauses: number[] = [];
    const deps = answeringTable(() => answers.shift() ?? throttled, {
      pause: (attempt) => Promise.resolve(void pauses.push(attempt)),
      rates: { read: control.control, write: counting().control },
    });
    const table = dynamoTable(deps);
    const work = new Deadline({ clock: () => 0, until: 1 }).run(async () => {
      expect((await table.getMany(keys)).filter((item) => item !== undefined)).toHaveLength(3);
      return wasThrottled();
    });
    return { wasThrottled: await work, throttled: control.told.throttled, pauses: pauses.length };
  };

  // Two items of 300 KB, and another one that no longer fits into 1 MB.
  it('has its rest at once, and counts as no throttle', async () => {
    expect(await read(150)).toEqual({ wasThrottled: false, throttled: 0, pauses: 0 });
  });

  it('is told from a throttled one by its units', async () => {
    expect(await read(100)).toEqual({ wasThrottled: true, throttled: 2, pauses: 1 });
  });

  it('comes from the embedded DynamoDB for large items of one partition', async () => {
    const time = new SideTime();
    const { tableOf, close } = await openCloud(time);
    const table = tableOf();
    const found: unknown[] = [];
    await time.run([
      async () => {
        const many = Array.from({ length: 40 }, (_, n) => ({ pk: 'A', sk: String(n).padStart(3, '0') }));
        await table.writeMany(
          many.map((key) => ({ kind: 'insert', key, set: { state: 'x'.repeat(40_000) } })),
        );
        await withDeadline({ clock: () => 0, until: 1 }, async () => {
          const items = await table.getMany(many);
          found.push(items.filter((item) => item !== undefined).length, wasThrottled());
        });
      },
    ]);
    await close();
    expect(found).toEqual([40, false]);
  });
});
