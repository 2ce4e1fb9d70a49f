import { describe, expect, it } from 'vitest';
import type { Cloud } from '../cloud/cloud.ts';
import { createFaults } from '../core/faults.ts';
import { storedBodies } from './fixtures/items.ts';
import { until } from './support/until.ts';
import { newFolders, ofCheckout } from './support/folders.ts';
import { cloudsOfTests } from './fixtures/cloud.ts';

const newFolder = newFolders(ofCheckout);

const start = cloudsOfTests();

const act = (cloud: Cloud, action: string, body: string): Promise<Response> =>
  fetch(`${cloud.baseUrl}/files/${action}`, { method: 'POST', body });

describe('a cloud with a data folder', () => {
  it('a cloud with a data folder keeps items, messages and workflows over a restart', async () => {
    const dataDir = newFolder();
    const before = await start({ dataDir });
    await act(before, 'work', 'first');
    await before.idle();
    before.gateway.withoutAction('fixture-work-worker', 'sqs:ReceiveMessage');
    await until('polling has ended', () => before.gateway.denials.list()[0]);
    await act(before, 'work', 'second');
    await act(before, 'start?name=long', '{"command":{"items":2}}');
    await before.stop();

    const after = await start({ dataDir });
    await after.idle();
    expect((await storedBodies(after)).toSorted()).toEqual(['first', 'second']);
    expect(after.parts.engine.ledger.all()).toMatchObject([{ name: 'long', status: 'SUCCEEDED' }]);
  });

  it('a start deletes what has expired while no service ran', async () => {
    const dataDir = newFolder();
    const before = await start({ dataDir });
    const TableName = before.deployment.tables[0]?.name;
    const expires = { N: String(Math.floor(Date.now() / 1_000)) };
    const Item = { pk: { S: 'p' }, sk: { S: 's' }, body: { S: 'old' }, expires };
    await before.parts.storage.table.call('PutItem', { TableName, Item });
    await before.stop();

    const after = await start({ dataDir });
    await until('the item is deleted', async () => (await storedBodies(after)).length === 0 || undefined);
  });
});

describe('a disturbed cloud', () => {
  it('a disturbed cloud loses no message, whatever happens to calls, deliveries and workers', async () => {
    const cloud = await start({ faults: createFaults(11, 0.2) });
    const bodies = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    const accepted = await Promise.all(
      bodies.map((body) =>
        until(`${body} is accepted`, async () => (await act(cloud, 'work', body)).ok || undefined),
      ),
    );
    expect(accepted).toHaveLength(30);
    await cloud.idle();
    const queues = cloud.deployment.queues.map(
      ({ name }) => cloud.parts.storage.sqs.queue(name).counts().visible,
    );
    const stored = new Set(await storedBodies(cloud));
    expect(bodies.filter((body) => !stored.has(body)).length).toBeLessThanOrEqual(
      queues.reduce((a, b) => a + b),
    );
  });
});
