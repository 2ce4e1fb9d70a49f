import { describe, expect, it } from 'vitest';
import { readConditions } from '../../shared/catalogue/conditions/condition-list.ts';
import type { Where } from '../../shared/catalogue/conditions/shape.ts';
import { completeDefinitions } from '../../shared/operator/complete-definitions.ts';
import { addCondition, removeCondition, renameCondition } from '../../shared/segments/conditions.ts';
import type { Table } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { ConditionHarness, user } from '../segments/conditions/harness.ts';
import { Cut, cutTable, withEachCut } from '../support/cut-transactions.ts';

const daily: Where = { field: 'extra_data.seen', op: 'older_than_days', value: 3 };
const lately: Where = { field: 'extra_data.seen', op: 'within_days', value: 3_000 };
const met: Where = { field: 'extra_data.spend', op: 'gte', value: 500 };

const ann = { unique_id: 'ann', extra_data: { spend: 700, seen: '2025-12-24' } };
const bob = { unique_id: 'bob', extra_data: { spend: 3, seen: '2025-12-24' } };
const cyd = { unique_id: 'cyd', extra_data: { spend: 800, seen: '2025-12-24' } };

const pause = () => Promise.resolve();

type Change = (harness: ConditionHarness, table: Table, first: number) => Promise<unknown>;

const creating =
  (where: Where): Change =>
  (harness, table) =>
    addCondition({ table, pause }, scope.id, {
      ...{ name: 'New', where, created: harness.now, created_by: user },
    });

const changes: Readonly<Record<string, Change>> = {
  'a new condition': creating(met),
  'a new condition of a field with a calendar': creating(lately),
  'another name': (_, table, first) => renameCondition({ table, pause }, scope.id, first, 'Another'),
  'a deletion': (harness, table, first) => {
    const { referrers } = referencesHarness(harness.table);
    return removeCondition({ table, pause, referrers }, scope.id, first, harness.now);
  },
};

/** The conditions with their members, once all are ready. */
const shownBy = async (harness: ConditionHarness) => {
  const { items } = await harness.people.catalogue.list(scope.id, { limit: 100 });
  const conditions = items.filter(({ condition }) => condition);
  return Promise.all(
    conditions.map(async ({ id, name, condition }) => ({
      ...{ id, name, ready: condition?.ready, members: (await harness.members(id)).toSorted() },
    })),
  );
};

describe.each([
  ['a ready condition', true],
  ['one that is being prepared', false],
])('beside %s, a restore that has cut the transaction of', (_, isReady) => {
  it.each(Object.entries(changes))(
    '%s leaves conditions that become ready and exact',
    async (name, change) => {
      await withEachCut(async (made) => {
        const harness = new ConditionHarness();
        await harness.store(ann, bob);
        const first = await harness.create(daily, 'First');
        if (isReady) await harness.settle();
        const cut = cutTable(harness.table, made);
        await expect(change(harness, cut.table, first)).rejects.toThrow(Cut);
        const deps = { table: harness.table, pause, clock: harness.clock };
        await completeDefinitions(deps, scope.id, harness.now);
        await harness.store(cyd);
        await harness.settle();
        const shown = await shownBy(harness);
        expect(shown.map(({ ready }) => ready)).not.toContain(false);
        for (const { id, members } of shown)
          expect(members).toEqual(
            id === first || name.includes('calendar') ? ['ann', 'bob', 'cyd'] : ['ann', 'cyd'],
          );
        if (name !== 'a deletion') expect(shown.map(({ id }) => id)).toContain(first);
        const list = await readConditions(harness.table, scope.id);
        expect(list.ready.toSorted()).toEqual(shown.map(({ id }) => id).toSorted());
        expect([list.preparing, list.dropped, harness.tasks()]).toEqual([[], [], []]);
        // Each rule has one condition, which can be made, found by its name, and deleted.
        const known = shown.map(({ id }) => id);
        for (const where of [daily, met, lately]) {
          const id = await harness.create(where, 'Again');
          if (where === daily && known.includes(first)) expect(id).toBe(first);
          await harness.remove(id);
        }
        await harness.settle();
        expect(await shownBy(harness)).toEqual([]);
        return cut;
      });
    },
  );
});

it('a preparation begins again after a restore that has its progress without the journal', async () => {
  const harness = new ConditionHarness();
  await harness.store(ann, bob);
  const id = await harness.create(met);
  await harness.look();
  harness.now += 200_000;
  harness.losesDrains = true;
  await harness.look();
  harness.losesDrains = false;
  const lost = harness.table.items().filter(({ pk }) => pk.startsWith('J#'));
  expect(lost).toHaveLength(1);
  for (const { pk, sk } of lost) await harness.table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
  await completeDefinitions({ table: harness.table, pause, clock: harness.clock }, scope.id, harness.now);
  await harness.settle();
  expect([await harness.isReady(id), await harness.members(id)]).toEqual([true, ['ann']]);
});
