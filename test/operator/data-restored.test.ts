import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { deleteWhole } from '../../cli/delete-property.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { limits } from '../../shared/config/limits.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { ok } from '../../shared/runtime/result.ts';
import { must, tokenOf, toldOperator } from '../auth/harness.ts';
import { eventOf, sampleRoute } from '../edge/route.ts';
import { problemOf } from '../support/answers.ts';
import { dyingAnywhere } from '../support/death.ts';
import { deletionHarness, type DeletionHarness } from './deletion-harness.ts';

const QUIET = limits.deletion.quietSeconds * 1_000;

/** Deletes, as the command line does, the property that a restore brought back. */
const deleteClosed = async (harness: DeletionHarness): Promise<void> => {
  const command = { command: 'property.delete', property: 1001, confirm: '1001' };
  const ask = async (payload: Readonly<Record<string, unknown>>): Promise<AdminAnswer> => {
    if (payload['command'] === 'property.close') return toldOperator(await harness.run(payload));
    const answer = await harness.call('1001');
    return toldOperator(answer.ok ? { ok: true, ...answer.value } : answer);
  };
  for (let calls = 0; calls < 10; calls += 1) {
    const answer = await deleteWhole(command, ask, () => undefined);
    if (!answer.ok) throw new Error(answer.error.message);
    if (answer['state'] === 'deleted') return;
    harness.time.now += QUIET;
  }
  throw new Error('the deletion does not end');
};

const listed = v.object({ properties: v.array(v.looseObject({ id: v.number(), status: v.string() })) });

const statusesIn = async (harness: DeletionHarness) => {
  const { properties } = v.parse(listed, must(await harness.run({ command: 'property.list' })));
  return Object.fromEntries(properties.map(({ id, status }) => [id, status]));
};

/** Names of what is left of the deleted property. `1001` occurs in no other name. */
const leftOf = (harness: DeletionHarness) => harness.stored().filter((name) => name.includes('1001'));

describe('a property that was deleted since the time to which its data was restored', () => {
  it('is in the list without an owner, and can be deleted again by its number', async () => {
    const harness = await deletionHarness();
    const restore = harness.table.backup();
    await harness.deleteAll();
    restore();
    expect(await statusesIn(harness)).toEqual({ 1001: 'without owner', 1002: 'active' });
    expect(leftOf(harness).length).toBeGreaterThan(40);
    expect(await harness.run({ command: 'property.close', property: 1001, confirm: '1002' })).toMatchObject({
      error: { code: 'not_confirmed' },
    });
    await deleteClosed(harness);
    expect(leftOf(harness)).toEqual([]);
    expect(await statusesIn(harness)).toEqual({ 1002: 'active' });
    expect(await harness.call('1001')).toMatchObject({ error: { code: 'unknown_property' } });
    const told = harness.auditLog.items().filter(({ action }) => action === 'operator property.delete');
    expect(told.map(({ outcome }) => outcome).toSorted()).toEqual([
      'deleted',
      'deleted',
      'erasing',
      'erasing',
    ]);
  });

  it('is in the list, whenever in its deletion the time was, until nothing of it is left', async () => {
    const operations: string[] = [];
    const counted = await deletionHarness((operation) => void operations.push(operation));
    await counted.deleteAll();
    const writes = operations.flatMap((operation, index) => (operation === 'table delete' ? [index] : []));
    expect(writes.length).toBeGreaterThan(40);
    for (const [index, point] of writes.entries()) {
      let left = point;
      let restore = (): void => undefined;
      const harness = await deletionHarness(() => {
        if (left === 0) restore = harness.table.backup();
        left -= 1;
      });
      await harness.deleteAll();
      restore();
      const place = `write ${index}`;
      expect(leftOf(harness), place).not.toEqual([]);
      expect(await statusesIn(harness), place).toEqual({ 1001: 'without owner', 1002: 'active' });
      await deleteClosed(harness);
      expect(leftOf(harness), place).toEqual([]);
    }
  });
});

it('a deletion that was under way when the data was restored leaves nothing of what came back', async () => {
  await dyingAnywhere({
    begin: async (tick) => {
      const harness = await deletionHarness(tick);
      return { harness, restore: harness.table.backup() };
    },
    run: ({ harness }) => harness.deleteAll(),
    check: async ({ harness, restore }, fatal) => {
      restore();
      harness.names.table = 'tidemark-test-20261123';
      harness.time.now += QUIET;
      const { 1001: status } = await statusesIn(harness);
      if (status === 'without owner') await deleteClosed(harness);
      else await harness.deleteAll();
      expect(leftOf(harness), `stopped at ${fatal}`).toEqual([]);
    },
  });
});

describe('a property that was made since the time to which the data was restored', () => {
  /** An account whose second property has an owner and no data. */
  const lost = async () => {
    const harness = await deletionHarness();
    const restore = harness.table.backup();
    const { account } = harness.gone;
    must(await harness.run({ command: 'property.create', account, name: 'Late' }));
    restore();
    return harness;
  };

  it('is in the list without data', async () => {
    expect(await statusesIn(await lost())).toEqual({ 1001: 'active', 1002: 'active', 1003: 'without data' });
  });

  it('answers 404 with the reason, and the log has an error for the operator', async () => {
    const harness = await lost();
    const scopeOf = propertyScopes(harness.deps);
    const handler = apiHandler(
      sampleRoute,
      async (_: unknown, { property }) => ok({ status: 201, body: await scopeOf(property.id) }),
      () => undefined,
      { runtime: harness.around },
    );
    const answer = problemOf(await handler(eventOf(1003, await tokenOf(harness, harness.gone), {})));
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
    expect(answer['detail']).toContain('restore');
    const lines = harness.lines.map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', code: 'property.lost', property: 1003 }),
    );
  });

  it('can be deleted', async () => {
    const harness = await lost();
    await harness.deleteAll('Late', 1003);
    expect(await statusesIn(harness)).toEqual({ 1001: 'active', 1002: 'active' });
  });
});
