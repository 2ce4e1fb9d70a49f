/** Conditions that another release has stored: one with other limits is judged, one that cannot be read stops its property. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { expectIndexed } from '../../ingest/indexed-harness.ts';
import { UnavailableError } from '../../../shared/runtime/aws-errors.ts';
import { journal } from '../../../shared/membership/journal.ts';
import { getSegment } from '../../../shared/segments/get-segment.ts';
import { keys } from '../../../shared/table/keys.ts';
import { scope } from '../../profiles/harness.ts';
import { answered, requestOf } from '../../support/requests.ts';
import { ConditionHarness, user, where } from './harness.ts';

/** Puts a rule into the item of a condition, as another release stores it. */
const storeRule = async ({ table }: ConditionHarness, id: number, rule: unknown): Promise<void> => {
  const key = keys.segment(scope.id, id);
  await table.write({ kind: 'update', key, set: { where: JSON.stringify(rule) }, expect: {} });
};

/** A condition that is ready, with one person of two. */
const scene = async () => {
  const harness = new ConditionHarness();
  await harness.store(
    { unique_id: 'a', extra_data: { spend: 700 } },
    { unique_id: 'b', extra_data: { spend: 3 } },
  );
  const id = await harness.create(where, 'Spent much');
  await harness.settle();
  return { harness, id };
};

const shown = ({ table, people: { catalogue } }: ConditionHarness, id: number) => {
  const request = { property: scope.id, user, query: {}, path: { segment_id: String(id) }, body: undefined };
  // A rule beyond the limits is none that the schema of answers knows.
  return answered(getSegment({ table, catalogue }, requestOf(request)), v.looseObject({}));
};

describe('a stored condition', () => {
  it.each([
    { field: 'unique_id', op: 'in', value: Array.from({ length: 500 }, (_, n) => `c${n}`) },
    { field: 'unique_id', op: 'starts_with', value: `c${'0'.repeat(400)}` },
    { field: 'extra_data.seen', op: 'within_days', value: 40_000 },
    { field: { tag: `T${' '.repeat(2_000)}` }, op: 'exists' },
  ])('beyond the limits for new ones is judged all the same: $op', async (rule) => {
    const { harness, id } = await scene();
    await storeRule(harness, id, rule);
    const tags = [{ tag: ['T'], datetime: '2026-01-01 00:00:00' }];
    const met = { unique_id: `c${'0'.repeat(500)}`, extra_data: { seen: '1999-01-01' }, tags };
    await harness.store(rule.op === 'in' ? { unique_id: 'c7' } : met, { unique_id: 'd' });
    await harness.sweep();
    expect(await harness.members(id)).toHaveLength(2);
    expect(await shown(harness, id)).toMatchObject({ where: rule });
  });

  it.each([
    ['an operator', { field: 'city', op: 'sounds_like', value: 'Bon' }],
    ['a field', { field: 'shoe_size', op: 'exists' }],
    ['a member', { ...where, unless: 'refunded' }],
    ['another operator for a field', { field: 'zipcode', op: 'gte', value: 5 }],
  ])('with %s of a later release stops the writes of its property, and loses none', async (_, rule) => {
    const { harness, id } = await scene();
    await storeRule(harness, id, rule);
    const before = harness.table.items('profile');
    const storing = harness.store({ unique_id: 'c', extra_data: { spend: 900 } });
    await expect(storing).rejects.toThrow(UnavailableError);
    await expect(storing).rejects.toThrow(`segment ${id} has a rule that this release cannot read`);
    expect(harness.table.items('profile')).toEqual(before);
    expect(await journal(harness).groups(scope.id)).toEqual([]);
    // The later release goes on.
    await storeRule(harness, id, where);
    await harness.store({ unique_id: 'c', extra_data: { spend: 900 } });
    await harness.sweep();
    expect(await harness.members(id)).toEqual(['a', 'c']);
    await expectIndexed(harness.table, harness.now);
  });

  it('that cannot be read holds the drainer up, which keeps its entries for one that can', async () => {
    const { harness, id } = await scene();
    const drainer = harness.process();
    await harness.storeLater({ unique_id: 'c', extra_data: { spend: 900 } });
    await storeRule(harness, id, { field: 'city', op: 'sounds_like', value: 'Bon' });
    await expect(harness.drainBy(drainer)).rejects.toThrow(UnavailableError);
    expect(await harness.members(id)).toEqual(['a']);
    await storeRule(harness, id, where);
    await harness.drainBy(harness.process());
    expect(await harness.members(id)).toEqual(['a', 'c']);
  });

  it('that cannot be read is listed and shown without its rule, and its deletion sets the writes free', async () => {
    const { harness, id } = await scene();
    await storeRule(harness, id, { field: 'city', op: 'sounds_like', value: 'Bon' });
    const { items } = await harness.people.catalogue.find(scope.id, 'spent much', { limit: 10 });
    expect(items).toMatchObject([{ id, name: 'Spent much', type: 'condition' }]);
    const answer = await shown(harness, id);
    expect(answer).toMatchObject({ id, count: 1, ready: true });
    expect(answer).not.toHaveProperty('where');
    await harness.remove(id);
    await harness.store({ unique_id: 'c', extra_data: { spend: 900 } });
    await harness.settle();
    expect(await harness.members(id)).toEqual([]);
    expect(harness.tasks()).toEqual([]);
    await expectIndexed(harness.table, harness.now);
    expect(await harness.create(where)).not.toBe(id);
  });
});
