import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import type { AccountRate } from '../../shared/rates/account-rate.ts';
import { ok } from '../../shared/runtime/result.ts';
import { eventOf, sampleHarness, sampleRoute } from './route.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  sample = await sampleHarness();
});

/** A use case whose trailing work ends when the gate opens. */
const trailingBehind = (gate: Promise<unknown>) => {
  const steps: string[] = [];
  const { harness, demo, tokens } = sample;
  const trail = harness.around.audit();
  const audit = () => ({
    ...trail,
    tryAdd: async (...entry: Parameters<typeof trail.tryAdd>): Promise<void> => {
      await trail.tryAdd(...entry);
      steps.push('audit entry');
    },
  });
  const trailing = async (): Promise<void> => {
    steps.push('trailing work begins');
    await gate;
  };
  const handler = apiHandler(
    sampleRoute,
    () => Promise.resolve(ok({ status: 201, body: {}, trailing })),
    () => 'ports',
    { runtime: { ...harness.around, audit } },
  );
  const sent = handler(eventOf(demo.property, tokens.demo, {})).then(({ statusCode }) => {
    steps.push(`answer ${statusCode}`);
  });
  return { steps, sent };
};

it('trailing work of an answer runs beside the audit entry, and ends before the answer', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { steps, sent } = trailingBehind(gate.promise);
  await expect.poll(() => steps).toEqual(['trailing work begins', 'audit entry']);
  gate.resolve(undefined);
  await sent;
  expect(steps.at(-1)).toBe('answer 201');
});

describe('work ahead of a use case', () => {
  /** Sends a request to a property, and notes the order of the steps. */
  const stepsOf = async (
    sent: { property?: number; token?: string },
    ahead: Promise<unknown> = Promise.resolve(),
  ) => {
    const steps: string[] = [];
    const { harness, demo, tokens } = sample;
    const rate: AccountRate = {
      admit: async () => {
        await setImmediate();
        steps.push('rate');
        return ok(undefined);
      },
      charge: () => undefined,
      settled: () => Promise.resolve(),
    };
    const handler = apiHandler(
      sampleRoute,
      () => {
        steps.push('use case');
        return Promise.resolve(ok({ status: 201, body: {} }));
      },
      () => 'ports',
      {
        runtime: { ...harness.around, rate: () => rate },
        ahead: (ports, property) => {
          steps.push(`${ports} ahead for ${property === demo.property ? 'its property' : 'another'}`);
          return ahead;
        },
      },
    );
    const { statusCode } = await handler(
      eventOf(sent.property ?? demo.property, sent.token ?? tokens.demo, {}),
    );
    return [...steps, statusCode];
  };

  it('begins while the rate is checked', async () => {
    expect(await stepsOf({})).toEqual(['ports ahead for its property', 'rate', 'use case', 201]);
  });

  it('does not begin for an unknown caller, or for the property of another account', async () => {
    expect(await stepsOf({ token: '0'.repeat(64) })).toEqual([401]);
    expect(await stepsOf({ property: sample.other.property })).toEqual(['rate', 404]);
  });

  it('ends before the answer, though the use case does not need it', async () => {
    const gate = Promise.withResolvers<undefined>();
    let answered = false;
    const steps = stepsOf({}, gate.promise).finally(() => (answered = true));
    await setImmediate();
    await setImmediate();
    expect(answered).toBe(false);
    gate.resolve(undefined);
    expect(await steps).toContain(201);
  });

  it('leaves its failure to the use case', async () => {
    expect(await stepsOf({}, Promise.reject(new Error('ahead')))).toEqual([
      'ports ahead for its property',
      'rate',
      'use case',
      201,
    ]);
  });
});
