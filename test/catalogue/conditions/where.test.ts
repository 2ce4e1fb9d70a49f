/** What the schema of conditions refuses, in which words, and how the API document shows it. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { converterOf } from '../../../functions/edge/openapi/json-schema.ts';
import { fieldNames } from '../../../shared/catalogue/conditions/fields.ts';
import { operators } from '../../../shared/catalogue/conditions/shape.ts';
import { whereSchema } from '../../../shared/catalogue/conditions/where.ts';
import { check } from '../../../shared/http/schema-faults.ts';
import { resolvedFields } from '../../../shared/profiles/fields.ts';

const body = v.strictObject({ where: whereSchema });
const faultsOf = (where: unknown): readonly string[] => {
  const checked = check(body, { where });
  return checked.ok ? [] : checked.faults.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`);
};

const all =
  'exists, eq, in, starts_with, contains, lt, lte, gt, gte, between, before, after, on, within_days';
const days =
  'exists, before, after, on, between, within_days, older_than_days, within_next_days and anniversary_within_days';

it.each([
  { field: 'extra_data.x', op: 'eq', value: `a${' '.repeat(2_000)}` },
  { field: { tag: `Concert${' '.repeat(2_000)}` }, op: 'exists' },
  { field: 'city', op: 'in', value: Array.from({ length: 100 }, () => `a${' '.repeat(20)}`) },
])('a condition that is long as it was sent is refused, however short its meaning is: %#', (where) => {
  expect(faultsOf(where)).toMatchObject([/too_long: The condition must have at most 1500 bytes of UTF-8\.$/]);
});

it('a text that is looked for inside others has at most 250 characters', () => {
  for (const op of ['contains', 'starts_with']) {
    expect(faultsOf({ field: 'city', op, value: 'a'.repeat(250) })).toEqual([]);
    expect(faultsOf({ field: 'city', op, value: 'a'.repeat(251) })).toMatchObject([/too_long/]);
  }
});

it('a number that JSON cannot tell from its neighbour is refused', () => {
  const out = /out_of_range: Must be between -9007199254740991 and 9007199254740991/;
  for (const where of [
    { op: 'gte', value: 2 ** 53 },
    { op: 'between', value: [1, 2 ** 60] },
    { op: 'in', value: [-(2 ** 53)] },
  ])
    expect(faultsOf({ field: 'extra_data.number', ...where })).toMatchObject([out]);
  expect(faultsOf({ field: 'extra_data.number', op: 'eq', value: 2 ** 53 - 1 })).toEqual([]);
});

describe('a condition that is refused', () => {
  it.each([
    [
      { field: 'zipcode', op: 'gte', value: 5 },
      '/where/op not_allowed: `zipcode` is text: it allows exists, eq, in, starts_with and contains.',
    ],
    [
      { field: 'zipcode', op: 'eq', value: 5 },
      '/where/value wrong_type: `zipcode` is text: compare it with texts.',
    ],
    [
      { field: 'age', op: 'starts_with', value: '1' },
      '/where/op not_allowed: `age` is a number: it allows exists, eq, in, lt, lte, gt, gte and between.',
    ],
    [
      { field: 'age', op: 'in', value: ['1'] },
      '/where/value wrong_type: `age` is a number: compare it with numbers.',
    ],
    [
      { field: 'age', op: 'between', value: ['2024-01-01', '2024-01-02'] },
      '/where/value wrong_type: `age` is a number: compare it with numbers.',
    ],
    [
      { field: 'birthday', op: 'eq', value: '2000-01-01' },
      `/where/op not_allowed: \`birthday\` is a day: it allows ${days}.`,
    ],
    [
      { field: 'created', op: 'between', value: [1, 2] },
      '/where/value wrong_type: `created` is a day: compare it with days, written YYYY-MM-DD.',
    ],
    [
      { field: { tag: 'Concert' }, op: 'anniversary_within_days', value: 5 },
      `/where/op not_allowed: The time of a tag is a day: it allows ${days.replace(', within_next_days and anniversary_within_days', ' and within_next_days')}.`,
    ],
    [
      { field: 'extra_data.spend', op: 'anniversary_within_days', value: 5 },
      `/where/op not_allowed: A value of \`extra_data\` may be anything: it allows ${all}, older_than_days and within_next_days.`,
    ],
    [
      { field: 'zip_code', op: 'exists' },
      '/where/field not_allowed: Is not known here. Did you mean zipcode?',
    ],
    [
      { field: 'Zipcode', op: 'exists' },
      '/where/field not_allowed: Is not known here. Did you mean zipcode?',
    ],
    [{ field: { tag: ' ' }, op: 'exists' }, '/where/field/tag blank: Must not be blank.'],
    [{ field: 'city', op: 'eq', value: ' \u200b' }, '/where/value blank: Must not be blank.'],
    [{ field: 'city', op: 'contains' }, '/where/value required: Is required.'],
    [
      { field: 'city', op: 'exists', value: 1 },
      '/where/value unknown_field: Is not known here; known: field, op.',
    ],
    [
      { field: 'city', op: 'in', value: [] },
      '/where/value not_allowed: Must be a list of 1 to 100 texts, or of numbers.',
    ],
    [
      { field: 'city', op: 'in', value: ['a', 1] },
      '/where/value not_allowed: Must be a list of 1 to 100 texts, or of numbers.',
    ],
    [
      { field: 'city', op: 'in', value: Array.from({ length: 101 }, (_, index) => `${index}`) },
      '/where/value too_long: Must have 1 to 100 entries.',
    ],
    [
      { field: 'age', op: 'between', value: [2, 1] },
      '/where/value out_of_range: Must not have the larger value first.',
    ],
    [
      { field: 'created', op: 'between', value: ['2024-01-02', '2024-01-01'] },
      '/where/value out_of_range: Must not have the larger value first.',
    ],
    [
      { field: 'age', op: 'between', value: [1, 2, 3] },
      '/where/value not_allowed: Must be two numbers, or two days (YYYY-MM-DD).',
    ],
    [
      { field: 'created', op: 'on', value: '2023-02-29' },
      '/where/value not_a_date: Must be a date such as 2026-05-17.',
    ],
    [{ field: 'created', op: 'within_days', value: 0 }, '/where/value out_of_range: Must be 1 to 3650.'],
    [{ field: 'created', op: 'within_days', value: 3_651 }, '/where/value out_of_range: Must be 1 to 3650.'],
    [
      { field: 'created', op: 'within_days', value: 1.5 },
      '/where/value wrong_type: Must be a whole number, 1 to 3650.',
    ],
    [
      { field: 'birthday', op: 'anniversary_within_days', value: 367 },
      '/where/value out_of_range: Must be 1 to 366.',
    ],
    [
      { field: 'city', op: 'eq', value: 'x'.repeat(1_500) },
      '/where/value too_long: The condition must have at most 1500 bytes of UTF-8.',
    ],
    [
      { field: `extra_data.${'x'.repeat(1_500)}`, op: 'exists' },
      '/where/field too_long: The condition must have at most 1500 bytes of UTF-8.',
    ],
  ])('%j', (where, fault) => {
    expect(faultsOf(where)).toEqual([fault]);
  });

  it('names the fields that there are, or an example', () => {
    const known = `${fieldNames.join(', ')}, extra_data. with a key, and {"tag": "Concert"}`;
    for (const field of ['nonsense', 'extra_data.', 'profile_uuid', 'constructor', 'likes'])
      expect(faultsOf({ field, op: 'exists' })).toEqual([
        `/where/field not_allowed: Is not known here; known: ${known}.`,
      ]);
    const [fault] = faultsOf({ field: 'city', op: 'equals', value: 'Bonn' });
    expect(fault).toContain(
      'Must be an object like {"field": "zipcode", "op": "starts_with", "value": "80"}.',
    );
  });
});

describe('a condition that is taken', () => {
  it('may name every text of a lookup and what exports add to it', () => {
    const names = [...resolvedFields, 'country', 'age', 'created', 'tag', 'source'];
    expect(fieldNames).toEqual(names.toSorted());
    for (const field of [...names, 'extra_data.x', 'extra_data. ', { tag: 'Concert' }])
      expect(faultsOf({ field, op: 'exists' })).toEqual([]);
  });

  it('may have 1,500 bytes', () => {
    const frame = '{"field":"city","op":"eq","value":""}'.length;
    expect(faultsOf({ field: 'city', op: 'eq', value: 'x'.repeat(1_500 - frame) })).toEqual([]);
    expect(faultsOf({ field: 'city', op: 'eq', value: 'x'.repeat(1_501 - frame) })).toHaveLength(1);
  });
});

describe('the API document', () => {
  it('shows a condition as one form for each kind of operator, each with a sentence', () => {
    const { convert } = converterOf({ models: {}, choices: {} });
    const shown = v.parse(
      v.object({
        oneOf: v.array(
          v.object({
            additionalProperties: v.literal(false),
            properties: v.objectWithRest(
              {
                op: v.object({
                  description: v.string(),
                  const: v.optional(v.string()),
                  enum: v.optional(v.array(v.string())),
                }),
              },
              v.object({ description: v.string() }),
            ),
          }),
        ),
      }),
      convert(whereSchema),
    );
    const shownOperators = shown.oneOf.flatMap(({ properties: { op } }) => op.enum ?? [op.const]);
    expect(shownOperators.toSorted()).toEqual([...new Set(Object.values(operators).flat())].toSorted());
    const bounds = { minItems: 2, maxItems: 2 };
    expect(JSON.stringify(convert(whereSchema))).toContain(
      JSON.stringify([
        { type: 'array', ...bounds, items: { type: 'number' } },
        { type: 'array', ...bounds, items: { type: 'string', format: 'date' } },
      ]),
    );
  });
});
