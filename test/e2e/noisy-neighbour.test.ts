import * as v from 'valibot';
import { expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { identified } from '../support/api-client.ts';
import { definitionOf } from '../support/field-map.ts';

const done = v.looseObject({ code: v.literal('batch.done'), property: v.number() });

const BATCHES = 300;
const SENT_AT_ONCE = 8;

/**
 * How much of the backlog may end before the tenant's batch: what workers hold already, and what they take between the
 * answer to a batch and its arrival in the queue. That is a few batches, more on a busy machine. Without fair queues it
 * is the whole backlog.
 */
const SHARE_UNDER_WAY = 0.1;

/** The properties of the batches processed from now on, in order. */
const batchesDone = ({ cloud }: TestService): readonly number[] => {
  const properties: number[] = [];
  cloud.logs.observe((functionName, text) => {
    if (!functionName.endsWith('importBatch')) return;
    for (const line of text.split('\n').filter((one) => one.includes('batch.done'))) {
      const parsed = v.safeParse(done, JSON.parse(line));
      if (parsed.success) properties.push(parsed.output.property);
    }
  });
  return properties;
};

const tenantOf = async (service: TestService, as: 'demo' | 'other', property: number) => {
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/v1/${property}${path}`, { body: JSON.stringify(body), as });
    expect([201, 202]).toContain(answer.status);
    return answer.text;
  };
  const idOf = (text: string): number => v.parse(identified, JSON.parse(text)).id;
  const id = idOf(await post('/imports', definitionOf(['email'])));
  const job = idOf(await post(`/imports/${id}/jobs`, { name: 'j' }));
  return {
    property,
    send: (email: string) => post('/import-data', { name: 'b', import_job: job, records: [{ email }] }),
  };
};

it("a batch of one tenant passes a neighbour's backlog of 300 batches", async () => {
  await using service = await startService();
  const tenant = await tenantOf(service, 'demo', service.property);
  const neighbour = await tenantOf(
    service,
    'other',
    v.parse(v.looseObject({ property_id: v.number() }), service.cloud.endpoints.other).property_id,
  );
  const order = batchesDone(service);

  let next = 0;
  const sendMany = async (): Promise<void> => {
    while (next < BATCHES) {
      next += 1;
      await neighbour.send(`n${next}@example.org`);
    }
  };
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, sendMany));
  expect(BATCHES - order.length).toBeGreaterThan(BATCHES / 4);

  await tenant.send('t@example.org');
  const before = order.length;
  const position = await until('the batch of the tenant', () => {
    const found = order.indexOf(tenant.property);
    return found < 0 ? undefined : found;
  });
  expect(position - before).toBeLessThanOrEqual((BATCHES - before) * SHARE_UNDER_WAY);
  expect(BATCHES - position).toBeGreaterThan(BATCHES / 5);
}, 240_000);
