import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { accountRate, type AccountRate } from '../../shared/rates/account-rate.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { noteUnits } from '../../shared/runtime/deadline.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { problemOf } from '../support/answers.ts';
import { eventOf, sampleHarness, sampleRoute } from '../edge/route.ts';
import { authHarness } from '../auth/harness.ts';

const PER_SECOND = 10;
const MOST = PER_SECOND * limits.rates.windowSeconds;
const START = Date.UTC(2026, 0, 15, 12);

let now = START;
let writes = 0;
let table: MemoryTable;
beforeEach(() => {
  now = START;
  writes = 0;
  table = new MemoryTable(() => void (writes += 1));
});

/** A process of its own that counts in the same table. */
const process = (): AccountRate =>
  accountRate({ rates: table, clock: () => now, log: () => undefined, perSecond: PER_SECOND });

/** The number of requests that pass. */
const passing = async (rate: AccountRate, account: number, requests: number): Promise<number> => {
  let passed = 0;
  for (let sent = 0; sent < requests; sent += 1) passed += (await rate.admit({ account })).ok ? 1 : 0;
  return passed;
};

describe('a hanging table of rates', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a hanging table delays a request by two seconds, and the request passes', async () => {
    table = new MemoryTable(() => new Promise<never>(() => undefined));
    const admitted = process().admit({ account: 1 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await admitted).ok).toBe(true);
  });
});

describe('the rate limit of an account', () => {
  it('one process reaches the rate exactly, with far fewer writes than requests', async () => {
    expect(await passing(process(), 1, 3 * MOST)).toBe(MOST);
    expect(writes).toBeLessThan(MOST / 4);
  });

  it('several processes together miss the rate by a fifth at most', async () => {
    const processes = Array.from({ length: 5 }, process);
    let passed = 0;
    for (let round = 0; round < MOST; round += 1)
      for (const one of processes) passed += await passing(one, 1, 1);
    expect(passed).toBeLessThanOrEqual(MOST);
    expect(passed).toBeGreaterThanOrEqual(MOST * 0.8);
  });

  it('each account has its own rate', async () => {
    const rate = process();
    await passing(rate, 1, 2 * MOST);
    expect(await passing(rate, 2, MOST)).toBe(MOST);
  });

  it('a new window restores the full rate, and Retry-After gives the whole seconds until it begins', async () => {
    const rate = process();
    await passing(rate, 1, MOST);
    now += 2_500;
    const refused = await rate.admit({ account: 1 });
    expect(refused).toMatchObject({
      ok: false,
      error: { status: 429, code: 'rate_limited', headers: { 'retry-after': '8' } },
    });
    now = START + 10_000;
    expect(await passing(rate, 1, 2 * MOST)).toBe(MOST);
  });

  it('refused requests of an account cost no further writes', async () => {
    const rate = process();
    await passing(rate, 1, 2 * MOST);
    const before = writes;
    await passing(rate, 1, MOST);
    expect(writes).toBe(before);
  });

  it('a process that was busy writes less in the next window, and many processes do not write at once', async () => {
    const rate = process();
    await passing(rate, 1, 40);
    const first = writes;
    now += 10_000;
    writes = 0;
    await passing(rate, 1, 40);
    expect(writes).toBeLessThanOrEqual(5);
    expect(first).toBeGreaterThan(2 * writes);
  });

  it('only the first request of a window waits for the table', async () => {
    const rate = process();
    await rate.admit({ account: 1 });
    await rate.settled();
    table = new MemoryTable(() => new Promise<never>(() => undefined));
    expect(
      await Promise.race([rate.admit({ account: 1 }), new Promise((resolve) => setImmediate(resolve))]),
    ).toMatchObject({
      ok: true,
    });
  });

  it('requests pass while the table cannot count', async () => {
    table = new MemoryTable(() => Promise.reject(new UnavailableError('down')));
    expect(await passing(process(), 1, 2 * MOST)).toBe(2 * MOST);
  });
});

describe('the charge for expensive requests', () => {
  const { unitsPerRequest, chargedWindows } = limits.rates;
  const charge = async (rate: AccountRate, units: number, account = 1): Promise<void> => {
    rate.charge({ account }, units);
    await rate.settled();
  };

  it('is nothing for a request within its units', async () => {
    const rate = process();
    await charge(rate, unitsPerRequest);
    expect(writes).toBe(0);
    expect(await passing(rate, 1, 2 * MOST)).toBe(MOST);
  });

  it('counts further units as further requests, also for other processes', async () => {
    await charge(process(), 31 * unitsPerRequest);
    expect(await passing(process(), 1, 2 * MOST)).toBe(MOST - 30);
    expect(await passing(process(), 2, 2 * MOST)).toBe(MOST);
  });

  it('goes on to the next windows when this one is full, for a minute at most', async () => {
    const rate = process();
    expect(await passing(rate, 1, MOST)).toBe(MOST);
    await charge(rate, (1.5 * MOST + 1) * unitsPerRequest);
    const passed: number[] = [];
    for (let window = 1; window <= 3; window += 1) {
      now += 10_000;
      passed.push(await passing(process(), 1, 2 * MOST));
    }
    expect(passed).toEqual([0, MOST / 2, MOST]);
    await charge(rate, 100 * MOST * unitsPerRequest);
    now += chargedWindows * 10_000;
    expect(await passing(process(), 1, 2 * MOST)).toBe(MOST);
  });

  it('is left out while the table cannot count', async () => {
    table = new MemoryTable(() => Promise.reject(new UnavailableError('down')));
    await charge(process(), 100 * unitsPerRequest);
  });
});

it('an operator may give an account a rate of its own', async () => {
  const rate = process();
  let passed = 0;
  for (let sent = 0; sent < 2 * MOST; sent += 1)
    passed += (await rate.admit({ account: 1, requestsPerSecond: 2 })).ok ? 1 : 0;
  expect(passed).toBe(2 * limits.rates.windowSeconds);
});

it('a route charges what its use case has consumed, whatever it answers', async () => {
  const harness = authHarness();
  const charged: (readonly [number, number])[] = [];
  const rate = accountRate({ ...harness.deps, rates: new MemoryTable(), perSecond: PER_SECOND });
  const charging = {
    ...rate,
    charge: ({ account }: { account: number }, units: number) => void charged.push([account, units]),
  };
  const { demo, tokens } = await sampleHarness(harness);
  const handler = apiHandler(
    sampleRoute,
    () => {
      noteUnits(700);
      return Promise.reject(new UnavailableError('busy'));
    },
    () => undefined,
    { runtime: { ...harness.around, rate: () => charging } },
  );
  expect((await handler(eventOf(demo.property, tokens.demo, {}))).statusCode).toBe(503);
  expect((await handler(eventOf(demo.property, tokens.demo, { body: '{' }))).statusCode).toBe(400);
  expect(charged).toEqual([
    [demo.account, 700],
    [demo.account, 0],
  ]);
});

it('a route answers 429 after authentication and before any other check', async () => {
  const harness = authHarness();
  const rate = accountRate({ ...harness.deps, rates: new MemoryTable(), perSecond: 1 });
  const sample = await sampleHarness(harness, { rate: () => rate });
  for (let sent = 0; sent < limits.rates.windowSeconds; sent += 1)
    expect((await sample.send()).statusCode).toBe(201);
  const answer = await sample.send({ body: '{' });
  expect(problemOf(answer)).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
  expect(sample.seen).toHaveLength(limits.rates.windowSeconds);
  expect((await sample.send({ headers: { authorization: 'Bearer x' } })).statusCode).toBe(401);
});
