import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readAnswer } from '../../shared/enrichment/read-answer.ts';
import type { Question } from '../../shared/enrichment/enrichment-question.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { NOW } from '../profiles/harness.ts';
import { social } from './harness.ts';

const question: Question = {
  enricher: 'network',
  identities: [
    { kind: 'email', value: 'ann@b.co' },
    { kind: 'social_id', value: 's-0' },
  ],
  stamp: stampOf(NOW, 3),
  skipAppends: false,
  origin: 'api',
};
const enricher = { name: 'network', tiers: ['social_network', 'provider_2'] as const };
const read = (body: unknown) =>
  readAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), {
    enricher: { ...enricher, tiers: [...enricher.tiers] },
    question,
    now: NOW,
  });
const refusedOf = (entry: unknown) => {
  const taken = read({ values: [entry, social({ city: 'Bonn' })] });
  return taken.ok ? [taken.value.refused, taken.value.records.length] : taken.error;
};

describe('an answer', () => {
  it('becomes a record of the person with the stamp of the question, for each entry', () => {
    const fields = { social_id: ' s-1 ', first_name: 'Ann', address: { city: 'Bonn' }, tags: null };
    const taken = read({ values: [social(fields), { tier: 'provider_2', fields: { age: 40 } }], more: 1 });
    const answers = { identities: question.identities, origin: question.origin };
    const common = { stamp: question.stamp, skipAppends: false, origin: 'enricher:network', answers };
    expect(taken).toEqual({
      ok: true,
      value: {
        refused: [],
        records: [
          {
            ...common,
            patch: {
              tier: tiers.social_network,
              identities: [...question.identities, { kind: 'social_id', value: 's-1' }],
              attributes: { first_name: 'Ann', city: 'Bonn' },
              tags: null,
            },
          },
          {
            ...common,
            patch: {
              tier: tiers.provider_2,
              identities: question.identities,
              attributes: { age: 40 },
            },
          },
        ],
      },
    });
  });

  it('may say what the person said about a channel', () => {
    const consent = [{ channel: 'email', state: 'withdrawn', datetime: undefined, source: null }];
    expect(read({ values: [social({ consent: [{ channel: 'email', state: 'withdrawn' }] })] })).toMatchObject(
      {
        value: { records: [{ patch: { consent } }] },
      },
    );
  });

  it('that repeats the social id of the question, or gives an empty one, adds none', () => {
    for (const social_id of ['s-0', '', ' '])
      expect(read({ values: [social({ social_id })] })).toMatchObject({
        value: { records: [{ patch: { identities: question.identities } }] },
      });
  });

  it('adds a social id that is written as another identity of the question', () => {
    const [email] = question.identities;
    expect(read({ values: [social({ social_id: email?.value })] })).toMatchObject({
      value: {
        records: [
          { patch: { identities: [...question.identities, { kind: 'social_id', value: email?.value }] } },
        ],
      },
    });
  });

  it('without a body, and with no values, says nothing', () => {
    const nothing = { ok: true, value: { records: [], refused: [] } };
    expect(readAnswer(undefined, { enricher: { name: 'x', tiers: [] }, question, now: NOW })).toEqual(
      nothing,
    );
    expect(read({ values: [] })).toEqual(nothing);
  });

  it.each([
    ['', 'not_json'],
    ['nonsense', 'not_json'],
    ['[]', 'not_json'],
    ['{"values":[{"tier":"social_network","fields":{"__proto__":{}}}]}', 'not_json'],
    [`{"values":${'['.repeat(100)}${']'.repeat(100)}}`, 'not_json'],
    [{}, 'wrong_shape'],
    [{ values: {} }, 'wrong_shape'],
    [
      { values: Array.from({ length: limits.enrichment.valuesPerAnswer + 1 }, () => social({})) },
      'wrong_shape',
    ],
  ])('%j is refused as a whole', (body, code) => {
    expect(read(body)).toEqual({ ok: false, error: code });
  });
});

describe('an entry of an answer', () => {
  it.each([
    [null, 'wrong_shape'],
    ['x', 'wrong_shape'],
    [{ tier: 'social_network' }, 'wrong_shape'],
    [{ tier: 'social_network', fields: [] }, 'wrong_shape'],
    [{ tier: 3, fields: {} }, 'wrong_shape'],
    [{ ...social({}), origin: 'x' }, 'wrong_shape'],
    [{ tier: 'stated', fields: { city: 'Rome' } }, 'tier_not_granted'],
    [{ tier: 'third_party', fields: { city: 'Rome' } }, 'tier_not_granted'],
    [{ tier: 'provider_1', fields: { city: 'Rome' } }, 'tier_not_granted'],
    [{ tier: 'constructor', fields: {} }, 'tier_not_granted'],
    [social({ email: 'eve@b.co' }), 'field_not_allowed'],
    [social({ email: null }), 'field_not_allowed'],
    [social({ unique_id: 'u' }), 'field_not_allowed'],
    [social({ social_token: 't' }), 'field_not_allowed'],
    [social({ attribute_source: 'stated' }), 'field_not_allowed'],
    [social({ nickname: 'A' }), 'unknown_field'],
    [social({ social_id: null }), 'wrong_type'],
    [social({ social_id: 'a\nb' }), 'bad_characters'],
    [social({ birthday: '2026-01-16' }), 'out_of_range'],
    [social({ city: 'Rome', address: { city: 'Bonn' } }), 'conflicting_values'],
    [social({ first_name: 'x'.repeat(1_025) }), 'too_long'],
  ])('%j is refused, and the others are taken', (entry, code) => {
    expect(refusedOf(entry)).toEqual([[code], 1]);
  });
});
