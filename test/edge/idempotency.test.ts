import { beforeEach, describe, expect, it } from 'vitest';
import { idempotently, isIdempotencyKey, type KeyedRequest } from '../../shared/edge/idempotency.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import { problems, type Problem } from '../../shared/http/problem.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { err, ok, type Result } from '../../shared/runtime/result.ts';
import { MemoryTable } from '../support/memory-table.ts';

const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const request: KeyedRequest = {
  account: 1,
  property: 7,
  route: 'POST /x',
  key: 'k-1',
  content: '{"a":1}',
  hours: 24,
  keepsAnswer: true,
};
const other = { ...request, content: '{"a":2}' };

let table: MemoryTable;
let now = START;
let effects: string[] = [];
let forgotten = 0;
let before: (operation: string) => Promise<void> | void = () => undefined;

beforeEach(() => {
  now = START;
  effects = [];
  forgotten = 0;
  before = () => undefined;
  table = new MemoryTable((operation) => before(operation));
});

type Outcome = Result<ApiAnswer, Problem>;
const effect = (requestKey: string): Promise<Outcome> => {
  effects.push(requestKey);
  return Promise.resolve(ok({ status: 201, body: { secret: 'whsec_canary', n: effects.length } }));
};
const send = (sent: KeyedRequest, run = effect) =>
  idempotently(
    { table, clock: () => now, ids: systemIds, notRemembered: () => void (forgotten += 1) },
    sent,
    run,
  );
const codeOf = (outcome: Outcome) => (outcome.ok ? outcome.value.status : outcome.error.code);

describe('the format of an Idempotency-Key', () => {
  it.each([
    ['x', true],
    ['a'.repeat(255), true],
    ['5f9c-~!,;', true],
    ['', false],
    ['a'.repeat(256), false],
    ['a b', false],
    ['a\u0000', false],
    ['é', false],
  ])('whether %j is a valid key: %s', (key, valid) => {
    expect(isIdempotencyKey(key)).toBe(valid);
  });
});

describe('a repeated request', () => {
  it('a repeated request gets the same answer for 24 hours, with one effect', async () => {
    const first = await send(request);
    now += 24 * 3_600_000 - 1;
    const second = await send(request);
    expect(first).toMatchObject({ value: { status: 201, body: { n: 1 } } });
    expect(second).toMatchObject({
      value: { status: 201, body: { n: 1 }, headers: { 'idempotency-replayed': 'true' } },
    });
    now += 1;
    expect(await send(request)).toMatchObject({ value: { body: { n: 2 } } });
    expect(new Set(effects).size).toBe(2);
  });

  it('a repeated request with another body is refused, at once and later', async () => {
    await send(request);
    expect(codeOf(await send(other))).toBe('idempotency_key_reused');
    expect(await send(request)).toMatchObject({ value: { body: { n: 1 } } });
    expect(effects).toHaveLength(1);
  });

  it('a key that the account used in another property or on another route is refused', async () => {
    await send(request);
    for (const more of [{ property: 8 }, { route: 'POST /y' }])
      expect(codeOf(await send({ ...request, ...more }))).toBe('idempotency_key_reused');
    expect(effects).toHaveLength(1);
  });

  it('the keys of another account are no business of this one', async () => {
    await send(request);
    expect(codeOf(await send({ ...request, account: 2, property: 8 }))).toBe(201);
    expect(effects).toHaveLength(2);
  });

  it('a repeated request is refused as a conflict while the first request is in progress', async () => {
    const [first, second] = await Promise.all([send(request), send(request)]);
    expect([codeOf(first), codeOf(second)].sort()).toEqual([201, 'idempotency_in_progress']);
    expect(codeOf(await send(other))).toBe('idempotency_key_reused');
    expect(effects).toHaveLength(1);
  });

  it('one hundred simultaneous requests under one key have one effect', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send(request)));
    expect(effects).toHaveLength(1);
    expect(outcomes.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1);
    expect(new Set(outcomes.map(codeOf))).toEqual(new Set([201, 'idempotency_in_progress']));
  });

  it('a key runs again after a refusal, with any body', async () => {
    const refuse = () => Promise.resolve(err(problems.conflict('in_use', 'It is in use.')));
    expect(codeOf(await send(request, refuse))).toBe('in_use');
    expect(codeOf(await send(other))).toBe(201);
  });
});

describe('a crash of a keyed request', () => {
  const killed = (requestKey: string): Promise<Outcome> => {
    effects.push(requestKey);
    return new Promise(() => undefined);
  };

  const fail = (requestKey: string) => {
    effects.push(requestKey);
    return Promise.reject(new Error('table down'));
  };

  it('a retry takes over the key of a crashed request after a minute, under the same request key', async () => {
    void send(request, killed);
    await expect.poll(() => effects.length).toBe(1);
    now += 59_999;
    expect(codeOf(await send(request))).toBe('idempotency_in_progress');
    now += 1;
    expect(codeOf(await send(other))).toBe('idempotency_key_reused');
    await Promise.all([send(request), send(request), send(request)]);
    expect(effects).toHaveLength(2);
    expect(effects[0]).toBe(effects[1]);
  });

  it('a request that threw may be retried at once, under the same request key', async () => {
    await expect(send(request, fail)).rejects.toThrow('table down');
    expect(codeOf(await send(request))).toBe(201);
    expect(effects[0]).toBe(effects[1]);
  });

  it('repeated retries do not extend the lifetime of a key', async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(send(request, fail)).rejects.toThrow('table down');
      now += 11 * HOUR;
    }
    expect(codeOf(await send(request))).toBe(201);
    expect(new Set(effects.slice(0, 3)).size).toBe(1);
    expect(effects[3]).not.toBe(effects[0]);
  });

  it('a slow request does not overwrite the answer of the request that took over its key', async () => {
    let finish: (outcome: Outcome) => void = () => undefined;
    const slow = send(request, (requestKey) => {
      effects.push(requestKey);
      return new Promise((resolve) => (finish = resolve));
    });
    await expect.poll(() => effects.length).toBe(1);
    now += 60_000;
    expect(await send(request)).toMatchObject({ value: { body: { n: 2 } } });
    finish(ok({ status: 201, body: { n: 'late' } }));
    expect(await slow).toMatchObject({ value: { body: { n: 'late' } } });
    expect(await send(request)).toMatchObject({ value: { body: { n: 2 } } });
  });

  it('the client gets its answer when the table fails after the effect, and the failure is logged', async () => {
    before = (operation) => {
      if (operation === 'update') throw new Error('down');
    };
    expect(codeOf(await send(request))).toBe(201);
    expect(forgotten).toBe(1);
  });

  it('a request has no effect when the table fails before the claim', async () => {
    before = () => {
      throw new Error('down');
    };
    await expect(send(request)).rejects.toThrow('down');
    expect(effects).toEqual([]);
  });
});

it('the table stores neither the answer nor the key in clear', async () => {
  await send(request);
  const stored = table
    .items()
    .flatMap((item) => Object.values(item))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n');
  expect(stored).not.toContain('whsec_canary');
  expect(stored).not.toContain('k-1');
  expect(table.items()[0]?.['ttl']).toBe(START / 1000 + 24 * 3600);
});

describe('a request that shows people', () => {
  const showing = { ...request, keepsAnswer: false };

  it('runs again, and its answer is not kept', async () => {
    const [first, second] = [await send(showing), await send(showing)];
    expect([first, second].map((outcome) => outcome.ok && outcome.value.body)).toMatchObject([
      { n: 1 },
      { n: 2 },
    ]);
    expect(table.items().map((item) => Object.keys(item))).toEqual([expect.not.arrayContaining(['answer'])]);
  });

  it('does not show an answer that an earlier release kept', async () => {
    await send(request);
    expect(await send(showing)).toMatchObject({ ok: true, value: { body: { n: 2 } } });
  });

  it('has its key for itself', async () => {
    await send(showing);
    expect(codeOf(await send({ ...other, keepsAnswer: false }))).toBe('idempotency_key_reused');
  });
});
