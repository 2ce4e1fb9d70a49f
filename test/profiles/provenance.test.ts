import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { provenanceAnswer, type Provenance } from '../../shared/profiles/provenance-schema.ts';
import { lookupQuery } from '../../shared/profiles/schemas.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import {
  clearableAreas,
  identityName,
  stateOf,
  tagName,
  type LwwRegister,
} from '../../shared/profiles/profile-state.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { contentOf, registerOf } from './few-registers.ts';
import { identityKinds } from '../../shared/table/keys.ts';
import { storedAt } from '../support/stored-at.ts';

const NOW = Date.UTC(2026, 0, 15);

const stamp = fc.integer({ min: 0, max: 5 }).map((order) => stampOf(NOW + (order % 2), order));
const day = '2024-01-01 00:00:00';
const identities = identityKinds.flatMap((kind) => ['x', 'y', 'a:b'].map((one) => identityName(kind, one)));
const extras = fc.constantFrom<LwwRegister['value']>('a', 0, false, [1, null], null);

/** Registers as records leave them. */
const register = registerOf(
  contentOf(Object.values(tiers), [
    { area: ['value'], name: ['first_name', 'city', 'country'], value: fc.constantFrom('a', 'b', null) },
    { area: ['value'], name: ['age'], value: fc.constantFrom(0, 30, null) },
    { area: ['extra'], name: ['k', 'l', '__proto__', 'first_name'], value: extras },
    { area: ['identity'], name: identities, tier: tiers.stated },
    { area: ['tag', 'like', 'label'], name: ['1', '2'].map((text) => tagName(day, text)) },
    { area: ['erased'], name: clearableAreas },
  ]),
  stamp,
  ['api', 'import:7:12'],
);
const state = fc.array(register, { maxLength: 25 }).map(stateOf);

type Values = Provenance['fields'];

/** The winning value of each name, at most one; names without a winner are left out. */
const winners = (values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, entries]) => {
      const won = entries.filter((entry) => entry.won);
      expect(won.length).toBeLessThanOrEqual(1);
      return won.map(({ value }) => [key, value]);
    }),
  );

const withoutNulls = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const rank = (entry: Values[string][number]): number => tiers[entry.tier];

describe('the provenance of a profile', () => {
  it('names exactly the resolved values as winners', () => {
    fc.assert(
      fc.property(state, (one) => {
        const { fields, country, age, extra, tags, likes, sources } = resolveProfile(one, 1, storedAt(NOW));
        const told = provenanceOf(one);
        expect(winners(told.fields)).toEqual(withoutNulls({ ...fields, country, age }));
        expect(winners(told.extra_data)).toEqual(extra);
        const names = {
          tags: told.tags.map(({ datetime, tag }) => tagName(datetime, tag)),
          likes: told.social_likes.map(({ id }) => id),
          sources: told.sources.map(({ label }) => label),
        };
        expect([...new Set(names.tags)].sort()).toEqual(
          tags.map(({ datetime, tag }) => tagName(datetime, tag)),
        );
        expect([...new Set(names.likes)].sort()).toEqual(likes);
        expect([...new Set(names.sources)].sort()).toEqual(sources);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lists every register once, the most trusted first, then the newest', () => {
    fc.assert(
      fc.property(state, (one) => {
        const { fields, extra_data: extra, ...sets } = provenanceOf(one);
        const values = [...Object.values(fields), ...Object.values(extra)];
        const lists = [...values, ...Object.values(sets)];
        expect(lists.flat()).toHaveLength(one.size);
        for (const list of values) {
          const order = list.map((entry) => `${rank(entry)} ${NOW + 1 - Date.parse(entry.stamp)}`);
          expect(order).toEqual(order.toSorted());
          for (const { value, won } of list) expect(value === null && won).toBe(false);
        }
      }),
    );
  });

  it('has the shape of the answer', () => {
    const by = { stamp: stampOf(NOW, 7), origin: 'import:7:12' } as const;
    const one = stateOf([
      { area: 'value', tier: 4, name: 'age', value: 30, ...by },
      { area: 'value', tier: 2, name: 'age', value: null, ...by },
      { area: 'extra', tier: 5, name: 'k', value: [1, null], ...by },
      { area: 'tag', tier: 1, name: tagName(day, 'vip'), value: true, ...by },
      { area: 'tag', tier: 1, name: tagName(day, 'art'), value: true, ...by },
      { area: 'like', tier: 3, name: '42', value: true, ...by },
      { area: 'label', tier: 6, name: 'web', value: true, ...by },
      { area: 'erased', tier: 7, name: 'label', value: true, ...by },
    ]);
    const mark = { source: 'import:7', job: 12, stamp: '2026-01-15T00:00:00.000Z' };
    const told = provenanceOf(one);
    expect(told).toEqual({
      fields: {
        age: [
          { value: null, tier: 'professional_network', ...mark, won: false },
          { value: 30, tier: 'third_party', ...mark, won: true },
        ],
      },
      extra_data: { k: [{ value: [1, null], tier: 'provider_1', ...mark, won: true }] },
      tags: [
        { tag: 'art', datetime: day, tier: 'stated', ...mark },
        { tag: 'vip', datetime: day, tier: 'stated', ...mark },
      ],
      removed_tags: [],
      replaced_tags: [],
      social_likes: [{ id: '42', tier: 'social_network', ...mark }],
      sources: [{ label: 'web', tier: 'provider_2', ...mark }],
      consent: [],
      erased: [{ what: 'sources', tier: 'provider_3', ...mark }],
    });
    expect(v.is(provenanceAnswer, told)).toBe(true);
  });
});

it('the query of other lookups refuses explain', () => {
  expect(v.is(lookupQuery, { unique_id: 'u' })).toBe(true);
  expect(v.is(lookupQuery, { unique_id: 'u', explain: 'true' })).toBe(false);
});
