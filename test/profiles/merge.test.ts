import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../shared/profiles/contribution.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import {
  emptyState,
  clearableAreas,
  mergeStates,
  stateOf,
  type State,
} from '../../shared/profiles/profile-state.ts';
import { encodeState, profileItem, parseEntry } from '../../shared/profiles/stored-profile.ts';
import { readProfile } from '../../shared/profiles/profile-repository.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { casesOf } from '../support/scale.ts';
import { contentOf, registerOf } from './few-registers.ts';
import { model, type ModelRecord } from './model.ts';
import { storedAt } from '../support/stored-at.ts';

const NOW = Date.UTC(2026, 0, 15);
const RUNS = casesOf('MERGE_RUNS', { full: 2_000, sample: 150 });

const stamp = fc.integer({ min: 1, max: 6 }).map((ms) => stampOf(ms));
const statement = fc.tuple(
  fc.constantFrom('2026-01-01 00:00:00', '2026-01-02 00:00:00'),
  fc.constantFrom('given', 'withdrawn'),
  fc.constantFrom('web', null),
);
const values = fc.constantFrom('a', 'b', '', 1, null);
const register = registerOf(
  contentOf(Object.values(tiers), [
    { area: ['value', 'extra'], name: ['first_name', 'city', '__proto__'], value: values },
    { area: ['tag', 'like', 'label', 'identity'], name: ['1', '2', '3'] },
    { area: ['consent'], name: ['email', 'sms'], value: statement },
    { area: ['erased'], name: clearableAreas },
  ]),
  stamp,
  ['api', 'import 7'],
);
const state = fc.array(register, { maxLength: 12 }).map(stateOf);
const sorted = (one: State): unknown => [...one].sort(([a], [b]) => (a < b ? -1 : 1));

describe('the join of two states', () => {
  it('is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(state, state, state, (a, b, c) => {
        expect(sorted(mergeStates(a, b))).toEqual(sorted(mergeStates(b, a)));
        expect(sorted(mergeStates(mergeStates(a, b), c))).toEqual(sorted(mergeStates(a, mergeStates(b, c))));
        expect(mergeStates(a, a)).toBe(a);
        const ab = mergeStates(a, b);
        expect(mergeStates(ab, b)).toBe(ab);
        expect(mergeStates(ab, a)).toBe(ab);
      }),
      { numRuns: RUNS },
    );
  });

  it('has the empty state as its neutral element', () => {
    fc.assert(
      fc.property(state, (a) => {
        expect(mergeStates(a, emptyState)).toBe(a);
        expect(sorted(mergeStates(emptyState, a))).toEqual(sorted(a));
      }),
    );
  });
});

const word = fc.constantFrom('red', 'blue', 'green', 'café');
const moment = fc.constantFrom('2024-01-01 00:00:00', '2024-06-30 23:59:59');
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });
const sent = fc.record(
  {
    unique_id: fc.constant('u-1'),
    email: fc.constantFrom('a@example.com', 'b@example.com'),
    first_name: orNull(word),
    city: orNull(word),
    gender: orNull(word),
    age: orNull(fc.integer({ min: 0, max: 150 })),
    tags: orNull(
      fc.array(fc.record({ datetime: moment, tag: fc.array(word, { minLength: 1, maxLength: 2 }) })),
    ),
    social_likes: orNull(fc.array(fc.record({ id: word }))),
    source: orNull(fc.array(word, { minLength: 1 }).map((labels) => labels.join(','))),
    extra_data: orNull(fc.dictionary(word, orNull(word))),
  },
  { requiredKeys: ['unique_id'] },
);
const history = fc
  .array(fc.record({ tier: fc.constantFrom(...Object.values(tiers)), sent }), { minLength: 1, maxLength: 10 })
  .map((records): ModelRecord[] => records.map((one, time) => ({ ...one, time })));

const contribution = ({ time, tier: trust, sent: fields }: ModelRecord): State => {
  const patch = normalizeRecord(fields, { now: NOW, tier: tierNumber(trust) });
  if (!patch.ok) throw new Error(JSON.stringify(patch.error));
  return contributionOf({ patch: patch.value, stamp: stampOf(time) }, patch.value.identities, stampOf(time));
};
const tierNumber = (trust: number) => Object.values(tiers).find((one) => one === trust) ?? tiers.stated;

const afterAll = (records: readonly ModelRecord[]): State =>
  records.reduce((joined, record) => mergeStates(joined, contribution(record)), emptyState);

/** The records of a history in another order, some of them more than once. */
const disturbed = (records: readonly ModelRecord[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...records], { minLength: records.length }),
      fc.array(fc.constantFrom(...records), { maxLength: 4 }),
    )
    .map(([all, again]) => [...all, ...again]);

describe('the records of one person', () => {
  it('give the same stored profile in any order and with any repetitions', () => {
    const pairs = history.chain((records) => fc.tuple(fc.constant(records), disturbed(records)));
    fc.assert(
      fc.property(pairs, ([records, again]) => {
        expect(encodeState(afterAll(again))).toBe(encodeState(afterAll(records)));
      }),
      { numRuns: RUNS },
    );
  });

  it('give the same stored profile when they are merged in parts', () => {
    fc.assert(
      fc.property(history, fc.nat(), (records, cut) => {
        const at = cut % (records.length + 1);
        const parts = mergeStates(afterAll(records.slice(at)), afterAll(records.slice(0, at)));
        expect(encodeState(parts)).toBe(encodeState(afterAll(records)));
      }),
      { numRuns: RUNS },
    );
  });

  it('resolve to the values of the plain model', () => {
    fc.assert(
      fc.property(history, (records) => {
        const { fields, age, extra, tags, likes, sources } = resolveProfile(
          afterAll(records),
          1,
          storedAt(NOW),
        );
        const known = Object.entries({ ...fields, age }).filter(([, value]) => value !== null);
        const expected = model(records);
        expect(Object.fromEntries(known)).toEqual(expected.fields);
        expect(extra).toEqual(expected.extra);
        expect(tags.map(({ datetime, tag }) => `${datetime} ${tag}`)).toEqual(expected.tags);
        expect({ likes, labels: sources }).toEqual({ likes: expected.likes, labels: expected.labels });
      }),
      { numRuns: RUNS },
    );
  });

  it('are read from the table as they were written', () => {
    fc.assert(
      fc.property(history, (records) => {
        const before = afterAll(records);
        const slot = parseEntry({ pk: 'P', sk: 'S', w: 'w', ...profileItem(encodeState(before), NOW) });
        expect(slot.kind === 'profile' && sorted(slot.state)).toEqual(sorted(before));
      }),
      { numRuns: RUNS },
    );
  });

  it('are resolved from the table like from their state', () => {
    fc.assert(
      fc.property(history, (records) => {
        // A single record is one group, which is resolved without a state.
        for (const some of [records, records.slice(0, 1)]) {
          const state = afterAll(some);
          const item = { pk: 'P', sk: 'S', w: 'w', ...profileItem(encodeState(state), NOW) };
          expect(readProfile(item, 1)).toEqual(resolveProfile(state, 1, storedAt(NOW)));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a stored group', () => {
  const item = (group: object) => ({
    pk: 'P',
    sk: 'S',
    w: 'w',
    ...profileItem(JSON.stringify([{ tier: 1, stamp: stampOf(1), origin: 'api', ...group }]), NOW),
  });

  it('has one identity of each kind, the larger of two', () => {
    const identities = ['email:b@example.org', 'email:a@example.org', 'social_id:7', 'other:x'];
    expect(readProfile(item({ identities }), 1)?.fields).toMatchObject({
      email: 'b@example.org',
      social_id: '7',
      unique_id: null,
    });
  });

  it.each([
    { values: { city: true } },
    { values: ['Bern'] },
    { extra: [['plan']] },
    { extra: [['plan', { deep: 1 }]] },
    { extra: [['plan', [['deep']]]] },
    { tags: 'vip' },
    { likes: [1] },
    { consents: [['email', ['2026-01-01 00:00:00', 'perhaps', null]]] },
    { erased: ['value'] },
    { tier: 8 },
    { stamp: 'today' },
    { origin: null },
    { unknown: [] },
  ])('is refused as %j', (group) => {
    expect(() => readProfile(item(group), 1)).toThrow('Invalid type');
    expect(() => parseEntry(item(group))).toThrow('Invalid type');
  });
});
