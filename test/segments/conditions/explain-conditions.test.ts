import { beforeEach, describe, expect, it } from 'vitest';
import { segmentCatalogue } from '../../../shared/catalogue/catalogue.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { cachedDerivations } from '../../../shared/catalogue/derivation.ts';
import { treeOf } from '../../../shared/catalogue/tree.ts';
import { PassingRefusal } from '../../../shared/http/passing-refusal.ts';
import { profileRepository } from '../../../shared/profiles/profile-repository.ts';
import { sealOrdinal } from '../../../shared/profiles/profile-uuid.ts';
import { renameCondition } from '../../../shared/segments/conditions.ts';
import { explainMembership } from '../../../shared/segments/explain/explain-membership.ts';
import { membershipAnswer } from '../../../shared/segments/explain/schemas.ts';
import { segmentsOfProfile } from '../../../shared/segments/segments-of-profile.ts';
import { scope } from '../../profiles/harness.ts';
import { request } from '../../references/harness.ts';
import { answered } from '../../support/requests.ts';
import { ConditionHarness } from './harness.ts';

let harness: ConditionHarness;
beforeEach(() => {
  harness = new ConditionHarness();
});

const portsOf = ({ table, clock }: ConditionHarness) => {
  const derivations = cachedDerivations({ table, clock });
  const pause = () => Promise.resolve();
  const catalogue = segmentCatalogue({ table, derivations, clock, pause });
  return { table, derivations, catalogue, profiles: profileRepository({ table }) };
};

const ordinalOf = async (name: string): Promise<number> =>
  (await harness.people.find({ kind: 'unique_id', value: name }))?.ordinal ?? -1;

const ask = async (segment: number, name: string) => {
  const profile_uuid = sealOrdinal(scope.keys.uuid, await ordinalOf(name));
  const asked = { ...request(undefined, { segment_id: `${segment}`, profile_uuid }), now: harness.now };
  const scopeOf = () => Promise.resolve(scope);
  return explainMembership({ ...portsOf(harness), scopeOf }, { ...asked, query: {} });
};
const why = async (segment: number, name: string) => {
  const { why: reason, ...told } = await answered(ask(segment, name), membershipAnswer);
  if (reason.kind !== 'value') throw new Error('another kind');
  return { ...told, ...reason };
};

/** Makes conditions, and lets them become ready. */
const made = async (...wheres: readonly Where[]): Promise<readonly number[]> => {
  const ids: number[] = [];
  for (const where of wheres) ids.push(await harness.create(where));
  await harness.settle();
  return ids;
};

const stated = { tier: 'stated', source: 'api', job: null };
const concert = { datetime: '2026-01-02 03:04:05', tag: ['Concert', 'Vip'] };

describe('the explanation of a condition', () => {
  it('shows the values that meet it with their sources, or those that the person has instead', async () => {
    await harness.store(
      { unique_id: 'a', extra_data: { spend: '700.5', colours: ['red', 'blue'] }, zipcode: '80331' },
      { unique_id: 'b', extra_data: { spend: 3.5, vip: true }, source: 'shop', tags: [concert] },
    );
    const [spend = 0, colour = 0, vip = 0, tag = 0, concerts = 0, shop = 0, zip = 0] = await made(
      { field: 'extra_data.spend', op: 'gt', value: 500 },
      { field: 'extra_data.colours', op: 'starts_with', value: 'R' },
      { field: 'extra_data.vip', op: 'eq', value: 'true' },
      { field: 'tag', op: 'in', value: ['vip', 'other'] },
      { field: { tag: 'Concert' }, op: 'before', value: '2026-01-03' },
      { field: 'source', op: 'exists' },
      { field: 'zipcode', op: 'starts_with', value: '80' },
    );
    const evidence = { field: 'extra_data.spend', ...stated };
    expect(await why(spend, 'a')).toMatchObject({
      ...{ member: true, pending: false, instead: [] },
      because: [{ ...evidence, value: '700.5' }],
    });
    const other = await why(spend, 'b');
    expect(other).toMatchObject({ member: false, because: [], instead: [{ ...evidence, value: 3.5 }] });
    expect(other.instead[0]).not.toHaveProperty('until');
    expect((await why(colour, 'a')).because).toMatchObject([{ field: 'extra_data.colours', value: 'red' }]);
    expect((await why(colour, 'b')).instead).toEqual([]);
    expect((await why(vip, 'b')).because).toMatchObject([{ field: 'extra_data.vip', value: 'true' }]);
    expect((await why(tag, 'b')).because).toMatchObject([{ field: 'tags', value: 'Vip', ...stated }]);
    const { datetime } = concert;
    expect((await why(concerts, 'b')).because).toMatchObject([{ field: 'tags', value: 'Concert', datetime }]);
    expect((await why(shop, 'b')).because).toMatchObject([{ field: 'source', value: 'shop', ...stated }]);
    expect((await why(zip, 'a')).because).toMatchObject([{ field: 'zipcode', value: '80331', ...stated }]);
  });

  it('says how long a window holds, the age, and when the service stored the person', async () => {
    await harness.store({ unique_id: 'a', birthday: '2001-02-03', extra_data: { seen: '2026-01-10' } });
    const [seen = 0, old = 0, adult = 0, fresh = 0] = await made(
      { field: 'extra_data.seen', op: 'within_days', value: 30 },
      { field: 'extra_data.seen', op: 'older_than_days', value: 3 },
      { field: 'age', op: 'between', value: [18, 24] },
      { field: 'created', op: 'within_days', value: 30 },
    );
    expect((await why(seen, 'a')).because).toMatchObject([{ value: '2026-01-10', until: '2026-02-09' }]);
    expect((await why(old, 'a')).because).toMatchObject([{ value: '2026-01-10', until: null }]);
    expect((await why(adult, 'a')).because).toMatchObject([
      { field: 'birthday', value: '2001-02-03', age: 24, until: '2026-02-02' },
    ]);
    const stamp = new Date((await harness.people.find({ kind: 'unique_id', value: 'a' }))?.created ?? 0);
    expect((await why(fresh, 'a')).because).toMatchObject([
      { field: 'created', value: stamp.toISOString().slice(0, 10), source: 'service' },
    ]);
  });

  it('shows no value that the property does not use', async () => {
    await harness.store({ unique_id: 'a', birthday: '2015-02-03', ethnicity: 'Martian' });
    await harness.people.followRules(await ordinalOf('a'), false);
    const [young = 0, martian = 0] = await made(
      { field: 'age', op: 'lt', value: 18 },
      { field: 'ethnicity', op: 'exists' },
    );
    for (const segment of [young, martian])
      expect(await why(segment, 'a')).toMatchObject({ member: false, because: [], instead: [] });
  });

  it('is refused for a while where the condition is not ready', async () => {
    await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
    const id = await harness.create({ field: 'extra_data.spend', op: 'exists' });
    await expect(ask(id, 'a')).rejects.toThrow(PassingRefusal);
  });
});

describe('the tree of a profile', () => {
  it('has its conditions once they are ready, by their present names', async () => {
    await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
    const treeNow = async () => {
      const { table, catalogue, derivations, profiles } = portsOf(harness);
      const profile = await profiles.findByIdentity(scope, { kind: 'unique_id', value: 'a' });
      if (!profile) throw new Error('nobody');
      return treeOf(
        await segmentsOfProfile({ table, catalogue, derivations }, scope.id, profile, harness.now),
      );
    };
    const id = await harness.create({ field: 'extra_data.spend', op: 'exists' }, 'Spends');
    await harness.create({ field: 'extra_data.spend', op: 'gt', value: 1_000 }, 'Spends much');
    expect(await treeNow()).not.toHaveProperty('Conditions');
    await harness.settle();
    expect((await treeNow())['Conditions']).toEqual({ count: 1, segments: ['Spends'], subcategories: {} });
    const ports = { table: harness.table, pause: () => Promise.resolve() };
    await renameCondition(ports, scope.id, id, 'Has spent');
    expect((await treeNow())['Conditions']).toMatchObject({ segments: ['Has spent'] });
    await harness.remove(id);
    harness.now += 10_000;
    expect(await treeNow()).not.toHaveProperty('Conditions');
  });

  it('has as many segments as a forgetting removes', async () => {
    await harness.store({ unique_id: 'a', email: 'a@example.com', extra_data: { spend: 700 } });
    const ready = await made({ field: 'extra_data.spend', op: 'exists' });
    await harness.create({ field: 'extra_data.spend', op: 'gt', value: 1 });
    const forgotten = await harness.people.forget(await ordinalOf('a'));
    expect(forgotten?.segments).toBe(ready.length);
  });
});
