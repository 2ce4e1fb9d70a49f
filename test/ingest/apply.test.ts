import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../support/memory-table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { accepted, NOW, scope, harnessOn } from '../profiles/harness.ts';

const byEmail = (value: string) => ({ kind: 'email', value }) as const;
const byUnique = (value: string) => ({ kind: 'unique_id', value }) as const;
const conflict = (kind: string) => ({
  code: 'identity_conflict',
  detail: `The ${kind} belongs to another profile and was not stored.`,
  field: kind,
});

describe('the application of records', () => {
  it('makes a profile that all its identities find', async () => {
    const { apply, profiles } = harnessOn();
    const [outcome] = await apply([
      accepted({ unique_id: 'u', email: 'A@b.co', social_id: 's', first_name: 'Ann' }),
    ]);
    expect(outcome).toMatchObject({ kind: 'created', ordinal: 0, warnings: [] });
    for (const identity of [byUnique('u'), byEmail('a@b.co'), { kind: 'social_id', value: 's' } as const]) {
      const found = await profiles.findByIdentity(scope, identity);
      expect(found).toMatchObject({
        ordinal: 0,
        updatedAt: NOW,
        fields: { first_name: 'Ann', email: 'a@b.co' },
      });
    }
  });

  it('stores the records of one batch that share an identity in one profile', async () => {
    const { apply, profiles } = harnessOn();
    const outcomes = await apply([
      accepted({ unique_id: 'u', email: 'a@b.co' }, 0),
      accepted({ email: 'a@b.co', first_name: 'Ann' }, 1),
      accepted({ unique_id: 'v', first_name: 'Vera' }, 2),
      accepted({ unique_id: 'u', last_name: 'Lee' }, 3),
    ]);
    expect(outcomes.map((one) => one.kind)).toEqual(['created', 'updated', 'created', 'updated']);
    expect(await profiles.findByIdentity(scope, byUnique('u'))).toMatchObject({
      fields: { first_name: 'Ann', last_name: 'Lee', email: 'a@b.co', unique_id: 'u' },
    });
  });

  it('still finds a profile by its old e-mail after a newer e-mail', async () => {
    const { apply, profiles } = harnessOn();
    await apply([accepted({ unique_id: 'u', email: 'old@b.co' }, 0)]);
    await apply([accepted({ unique_id: 'u', email: 'new@b.co' }, 1)]);
    const found = await profiles.findByIdentity(scope, byEmail('old@b.co'));
    expect(found?.fields.email).toBe('new@b.co');
  });

  it('stores a record with two owners on the strongest owner, and warns about the other identity', async () => {
    const { apply, profiles } = harnessOn();
    await apply([accepted({ unique_id: 'u' }, 0), accepted({ email: 'a@b.co', first_name: 'Bob' }, 1)]);
    const [outcome] = await apply([accepted({ unique_id: 'u', email: 'a@b.co', city: 'Bonn' }, 2)]);
    expect(outcome).toMatchObject({ kind: 'updated', ordinal: 0, warnings: [conflict('email')] });
    const owner = await profiles.findByIdentity(scope, byUnique('u'));
    expect(owner?.fields).toMatchObject({ city: 'Bonn', email: null });
    expect((await profiles.findByIdentity(scope, byEmail('a@b.co')))?.fields).toMatchObject({
      first_name: 'Bob',
      city: null,
    });
  });

  it('never gives one profile two unique ids', async () => {
    const { apply, profiles } = harnessOn();
    const family = { email: 'family@b.co' };
    const outcomes = await apply([
      accepted({ unique_id: 'mum', ...family }, 0),
      accepted({ unique_id: 'dad', ...family }, 1),
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'created', ordinal: 0, warnings: [] },
      { kind: 'created', ordinal: 1, warnings: [conflict('email')] },
    ]);
    const [again] = await apply([accepted({ unique_id: 'child', ...family }, 2)]);
    expect(again).toMatchObject({ kind: 'created', ordinal: 2, warnings: [conflict('email')] });
    expect((await profiles.findByIdentity(scope, byUnique('dad')))?.fields.email).toBeNull();
    expect((await profiles.findByIdentity(scope, byEmail('family@b.co')))?.fields.unique_id).toBe('mum');
  });

  it('gives a unique id to a profile that had none', async () => {
    const { apply } = harnessOn();
    await apply([accepted({ email: 'a@b.co' }, 0)]);
    const [outcome] = await apply([accepted({ unique_id: 'u', email: 'a@b.co' }, 1)]);
    expect(outcome).toMatchObject({ kind: 'updated', ordinal: 0, warnings: [] });
  });

  it('writes and announces nothing when a record is redelivered', async () => {
    const { apply, table, events } = harnessOn();
    const records = [
      accepted(
        { unique_id: 'u', email: 'a@b.co', tags: [{ datetime: '2024-01-01 00:00:00', tag: ['x'] }] },
        0,
      ),
      accepted({ unique_id: 'u', source: 'web', tags: null, extra_data: { a: 1 } }, 1),
    ];
    await apply(records);
    const before = structuredClone(table.items());
    events.length = 0;
    const outcomes = await apply([...records, ...records]);
    expect(outcomes.map((one) => one.kind)).toEqual(['updated', 'updated', 'updated', 'updated']);
    expect(table.items()).toEqual(before);
    expect(events).toEqual([]);
  });

  it('raises the stamp of a call above the stored stamps, whatever the clock says', async () => {
    const { apply, profiles } = harnessOn();
    await apply([accepted({ email: 'a@b.co', city: 'Bonn' }, 0, { stamp: stampOf(NOW + 60_000) })]);
    await apply([accepted({ email: 'a@b.co', city: 'Rome' }, 0, { latest: true })]);
    expect((await profiles.findByIdentity(scope, byEmail('a@b.co')))?.fields.city).toBe('Rome');
  });

  it('skips third-party values on request, but stores the identities', async () => {
    const { apply, profiles } = harnessOn();
    const sent = { email: 'a@b.co', city: 'Rome', source: 'web', attribute_source: 'third_party' };
    await apply([accepted(sent, 0, { skipAppends: true })]);
    const found = await profiles.findByIdentity(scope, byEmail('a@b.co'));
    expect(found).toMatchObject({ fields: { email: 'a@b.co', city: null }, sources: [] });
  });
});

describe('the limits of a profile', () => {
  const tags = (count: number, from: number) => [
    { datetime: '2024-01-01 00:00:00', tag: Array.from({ length: count }, (_, index) => `t${from + index}`) },
  ];
  const big = (letter: string) => ({ unique_id: 'u', extra_data: { [letter]: letter.repeat(250_000) } });

  it.each([
    ['tags', { tags: tags(300, 0) }, { tags: tags(300, 300) }, 'too_many', 'tags'],
    [
      'likes',
      { social_likes: likes(3000, 0) },
      { social_likes: likes(3000, 3000) },
      'too_many',
      'social_likes',
    ],
    ['keys', { extra_data: pairs(150, 0) }, { extra_data: pairs(150, 150) }, 'too_many', 'extra_data'],
    ['bytes', big('a'), big('b'), 'profile_too_large', null],
  ])(
    'refuse a record that would exceed the %s and leave the profile as it was',
    async (_, first, second, code, field) => {
      const { apply, table } = harnessOn();
      await apply([accepted({ unique_id: 'u', ...first }, 0)]);
      const before = structuredClone(table.items());
      const [refused, good] = await apply([
        accepted({ unique_id: 'u', email: 'a@b.co', ...second }, 1),
        accepted({ unique_id: 'v' }, 2),
      ]);
      expect(refused).toMatchObject({ kind: 'refused', refusal: { code, field } });
      expect(good).toMatchObject({ kind: 'created' });
      expect(table.items()).toEqual(
        expect.arrayContaining([...before.filter(({ pk }) => kindOfKey(pk) !== 'property')]),
      );
      expect(table.items('claim')).toHaveLength(2);
    },
  );
});

function likes(count: number, from: number): { id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `page-${from + index}` }));
}
function pairs(count: number, from: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, index]));
}

describe('the index of a writer', () => {
  it('receives every membership before the profile is written', async () => {
    const order: string[] = [];
    const harness = harnessOn(
      new MemoryTable((operation, keys) => {
        if (kindOfKey(keys[0]?.pk ?? '') === 'profile' && operation !== 'getMany') order.push(operation);
      }),
    );
    const { open } = harness.deps.journal;
    Object.assign(harness.deps.journal, {
      open: (...args: Parameters<typeof open>) => {
        order.push('announce');
        return open(...args);
      },
    });
    await harness.apply([accepted({ unique_id: 'u', source: 'web', gender: 'f' })], 'now');
    expect(order).toEqual(['announce', 'insert']);
    const pairs = [...harness.ids.values()].map((segment) => ({ segment, ordinal: 0 }));
    expect(harness.ids.size).toBe(3);
    expect(harness.events).toEqual([
      { kind: 'open', attemptId: 'attempt-1', pairs },
      { kind: 'reindex', pairs },
      { kind: 'retire', attemptId: 'attempt-1' },
    ]);
  });

  it('receives changed memberships only, and is left to the drainer on request', async () => {
    const { apply, events, ids } = harnessOn();
    await apply([accepted({ unique_id: 'u', source: 'web', gender: 'f', first_name: 'A' }, 0)]);
    events.length = 0;
    await apply([accepted({ unique_id: 'u', first_name: 'B' }, 1)]);
    expect(events).toEqual([]);
    await apply([accepted({ unique_id: 'u', gender: 'm', source: 'web' }, 2)]);
    expect(events.map(({ kind }) => kind)).toEqual(['open', 'close']);
    const genders = [...ids].filter(([key]) => key.includes('Gender')).map(([, segment]) => segment);
    expect(events[0]).toMatchObject({ pairs: genders.map((segment) => ({ segment, ordinal: 0 })) });
  });

  it('receives a fresh batch in few requests', async () => {
    const requests = new Map<string, number>();
    const table = new MemoryTable((operation, keys) => {
      const name = `${operation} ${kindOfKey(keys[0]?.pk ?? '')}`;
      requests.set(name, (requests.get(name) ?? 0) + 1);
    });
    const { apply } = harnessOn(table);
    await apply(
      Array.from({ length: 500 }, (_, n) => accepted({ unique_id: `u${n}`, email: `p${n}@b.co` }, n)),
    );
    expect(Object.fromEntries(requests)).toEqual({
      'getMany claim': 1,
      'increment property': 1,
      'insert claim': 1000,
      'insert profile': 500,
    });
  });
});
