import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listImports } from '../../shared/imports/definitions/list-imports.ts';
import { getImport } from '../../shared/imports/definitions/get-import.ts';
import { createImport } from '../../shared/imports/definitions/create-import.ts';
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { importBody, importsAnswer } from '../../shared/imports/model/schemas.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { answered, define, importHarness, request, simpleDefinition } from './import-harness.ts';

type Mapping = Record<string, unknown>;
const map = (target_field: unknown, name: unknown = 'Column', more: object = {}): Mapping => ({
  sources: [{ type: 'source_field', name }],
  target_field,
  ...more,
});
const mapping = (field_maps: unknown, required_fields: unknown = []): object => ({
  ...simpleDefinition,
  mapping_fields: { required_fields, field_maps },
});

/** Pointers and codes of the faults of a definition; none when the definition is accepted. */
const faultsOf = async (body: unknown): Promise<readonly string[]> => {
  const checked = check(importBody, body);
  if (!checked.ok) return checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
  const harness = importHarness();
  const answer = await createImport(harness.deps, request({}, {}, checked.value));
  if (answer.ok) return [];
  expect(answer.error.status).toBe(422);
  expect(harness.table.items()).toEqual([]);
  return (answer.error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
};

describe('a definition', () => {
  it('is answered in the shape of the contract, and read and listed the same', async () => {
    const harness = importHarness();
    const made = await define(harness);
    expect(made).toEqual({
      id: 7_000_000_001,
      name: 'Visitors',
      mapping_fields: simpleDefinition.mapping_fields,
      action: 'import_csv_generic',
      created: '2026-01-15T12:00:00.000Z',
      test_mode: false,
      file_match_rule: null,
      property: 7,
      delimiter: 'comma',
      encoding: 'utf-8',
      attribute_source: 'stated',
      granted_tier: null,
      skip_appends: false,
      max_new_segments: 200,
      max_refused_share: null,
    });
    const read = await getImport(harness.deps, request({ import_id: made.id }, {}, undefined));
    expect(read).toEqual({ ok: true, value: { status: 200, body: made } });
  });

  it('takes an empty text for one that is not supplied', async () => {
    const harness = importHarness();
    const optional = ['delimiter', 'encoding', 'attribute_source', 'file_match_rule'];
    const empty = Object.fromEntries(optional.map((name) => [name, '']));
    const made = await define(harness, { ...simpleDefinition, ...empty });
    expect({ ...made, id: 0 }).toEqual({ ...(await define(harness)), id: 0 });
  });

  it('is listed in pages', async () => {
    const harness = importHarness();
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await define(harness)).id);
    const seen: number[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (let pages = 0; pages < 3; pages += 1) {
      const parsed = v.parse(namedListQuery, query);
      const page = await answered(listImports(harness.deps, request({}, parsed, undefined)), importsAnswer);
      seen.push(...page.imports.map(({ id }) => id));
      const next = page.paging.next_page;
      expect(next === null).toBe(pages === 2);
      if (next !== null) query = Object.fromEntries(new URL(next).searchParams);
    }
    expect(seen).toEqual(ids);
  });

  it('is listed by a part of its name, the newest first when asked', async () => {
    const harness = importHarness();
    for (const name of ['Visitors', 'visits', 'Shop']) await define(harness, { ...simpleDefinition, name });
    const named = async (query: object) => {
      const parsed = v.parse(namedListQuery, query);
      const page = await answered(listImports(harness.deps, request({}, parsed, undefined)), importsAnswer);
      return page.imports.map(({ name }) => name);
    };
    expect(await named({ name: 'VISIT' })).toEqual(['Visitors', 'visits']);
    expect(await named({ order: 'newest' })).toEqual(['Shop', 'visits', 'Visitors']);
    expect(await named({ order: 'newest', name: 'visit', limit: '1' })).toEqual(['visits']);
  });

  it('refuses a forged cursor, and one of another list', async () => {
    const harness = importHarness();
    for (const cursor of ['x', 'AAAA'.repeat(20)]) {
      const answer = await listImports(harness.deps, request({}, { cursor, limit: undefined }, undefined));
      expect(answer).toMatchObject({ ok: false, error: { status: 400 } });
    }
  });

  it('of another property or of none is not found', async () => {
    const harness = importHarness();
    for (const import_id of [7_000_000_001, 8_000_000_001, 0, -1, 1.5, 'abc', 2 ** 53]) {
      const answer = await getImport(harness.deps, request({ import_id }, {}, undefined));
      expect(answer).toMatchObject({ ok: false, error: { status: 404 } });
    }
  });
});

describe('a definition is taken', () => {
  it.each([
    [
      'every kind of target',
      mapping([
        map('email', 'a'),
        map('address.city', 'b'),
        map('extra_data.x y', 'c'),
        map('tags', 'd'),
        map('social_likes', 'e'),
        map('age', 'f'),
        map('attribute_source', 'g'),
      ]),
    ],
    [
      'several sources',
      mapping([
        {
          sources: [
            { type: 'source_field', name: 'A' },
            { type: 'source_field', name: 'B' },
          ],
          target_field: 'full_name',
        },
      ]),
    ],
    [
      'every transformation',
      mapping([
        map('email', 'a', {
          transformations: [
            ...['strip', 'lower', 'upper', 'title', 'digits', 'date', 'number_de', 'number_en'],
            ...['date_dmy', 'date_mdy'],
          ].map((name) => ({ name })),
        }),
      ]),
    ],
    [
      'every option of a transformation',
      mapping([
        map('email', 'a', {
          transformations: [
            { name: 'date_dmy', pivot: 30 },
            { name: 'date_mdy', pivot: 0 },
            { name: 'map', values: { ja: 'Yes', nein: '' }, otherwise: 'refuse' },
            { name: 'map', values: { ja: 'Yes' } },
            { name: 'default', value: 'unknown' },
            { name: 'replace', from: ' €', to: '' },
            { name: 'phone', country: 'DE' },
          ],
        }),
      ]),
    ],
    ['a required field by its other name', mapping([map('address.postal_code')], ['zipcode'])],
    ['no required field', mapping([map('email')])],
    ['any name', { ...mapping([map('email')]), name: '../../ 😀 CON' }],
    [
      'all extras',
      {
        ...mapping([map('email')]),
        delimiter: 'pipe',
        encoding: 'utf-16le',
        attribute_source: 'third_party',
        skip_appends: true,
        test_mode: true,
        file_match_rule: '(a+)+$',
      },
    ],
  ])('with %s', async (_, body) => {
    expect(await faultsOf(body)).toEqual([]);
  });
});

describe('a definition is refused', () => {
  const at = '/mapping_fields/field_maps';
  const required = '/mapping_fields/required_fields';
  it.each([
    ...['', ' ', 'x'.repeat(256), 7, null, undefined].map(
      (name) => [{ ...simpleDefinition, name }, '/name '] as const,
    ),
    [{ name: 'x' }, '/mapping_fields required'],
    [{ ...simpleDefinition, color: 'red' }, '/color unknown_field'],
    [{ ...simpleDefinition, granted_tier: 'provider_1' }, '/granted_tier unknown_field'],
    ...['email', [1], [''], null].map((fields) => [mapping([map('email')], fields), required] as const),
    [{ ...simpleDefinition, mapping_fields: { field_maps: [map('email')] } }, `${required} required`],
    [mapping([map('email')], ['nickname']), `${required}/0 unknown_target`],
    [mapping([map('email')], ['gender']), `${required}/0 not_mapped`],
    [mapping([map('email')], ['email', 'email']), `${required}/1 duplicate`],
    [
      mapping(
        [map('email')],
        Array.from({ length: 10_000 }, () => 'email'),
      ),
      `${required} too_long`,
    ],
    ...[{}, [], undefined, [null], Array.from({ length: 10_000 }, () => map('email'))].map(
      (maps) => [mapping(maps), at] as const,
    ),
    ...[
      'profile_uuid',
      'created',
      '__proto__',
      'address',
      'address.__proto__',
      'address.planet',
      'extra_data',
      'extra_data.',
      'extra_data.constructor',
      'extra_data.__proto__',
      'Email',
      'nickname',
    ].map((target) => [mapping([map(target)]), `${at}/0/target_field unknown_target`] as const),
    [mapping([map('')]), `${at}/0/target_field `],
    [mapping([map(7)]), `${at}/0/target_field `],
    [mapping([map('city', 'a'), map('address.city', 'b')]), `${at}/1/target_field duplicate`],
    [mapping([map('email', '')]), `${at}/0/sources/0/name `],
    [mapping([{ sources: [], target_field: 'email' }]), `${at}/0/sources `],
    ...['const', 'regex', 1, undefined].map(
      (type) =>
        [
          mapping([{ sources: [{ type, name: 'A' }], target_field: 'email' }]),
          `${at}/0/sources/0/type `,
        ] as const,
    ),
    ...[null, {}, [{}], ['strip'], Array.from({ length: 1_000 }, () => ({ name: 'strip' }))].map(
      (transformations) =>
        [mapping([map('email', 'A', { transformations })]), `${at}/0/transformations`] as const,
    ),
    ...['eval', '__proto__', 'constructor', 'Strip'].map(
      (name) =>
        [
          mapping([map('email', 'A', { transformations: [{ name }] })]),
          `${at}/0/transformations/0/name not_allowed`,
        ] as const,
    ),
    ...(
      [
        [{ name: 'strip', value: 'x' }, '/value unknown_field'],
        [{ name: 'date', pivot: 30 }, '/pivot unknown_field'],
        [{ name: 'date_dmy', pivot: 100 }, '/pivot out_of_range'],
        [{ name: 'date_dmy', pivot: '30' }, '/pivot wrong_type'],
        [{ name: 'map' }, '/values required'],
        [{ name: 'map', values: {} }, '/values invalid'],
        [{ name: 'map', values: { '': 'Yes' } }, '/values/ too_short'],
        [{ name: 'map', values: { ja: true } }, '/values/ja wrong_type'],
        [{ name: 'map', values: { ja: 'Yes' }, otherwise: 'ignore' }, '/otherwise not_allowed'],
        [{ name: 'default', value: '' }, '/value too_short'],
        [{ name: 'replace', from: '', to: '' }, '/from too_short'],
        [{ name: 'replace', from: 'a' }, '/to required'],
        [{ name: 'replace', from: 'a', to: 'x'.repeat(1_025) }, '/to too_long'],
        [{ name: 'phone' }, '/country required'],
        [{ name: 'phone', country: 'de' }, '/country not_allowed'],
      ] as const
    ).map(
      ([transformation, fault]) =>
        [
          mapping([map('email', 'A', { transformations: [transformation] })]),
          `${at}/0/transformations/0${fault}`,
        ] as const,
    ),
    [{ ...simpleDefinition, delimiter: ';' }, '/delimiter not_allowed'],
    [{ ...simpleDefinition, encoding: 'utf-7' }, '/encoding not_allowed'],
    [{ ...simpleDefinition, attribute_source: 'provider_1' }, '/attribute_source not_allowed'],
    [{ ...simpleDefinition, test_mode: 'yes' }, '/test_mode wrong_type'],
    [
      mapping(
        Array.from({ length: 500 }, (_, index) =>
          map(`extra_data.k${index}`, 'x'.repeat(255), {
            transformations: Array.from({ length: 10 }, () => ({ name: 'date_dmy' })),
          }),
        ),
      ),
      '/mapping_fields too_long',
    ],
  ] satisfies readonly (readonly [object, string])[])('%#: %j', async (body, fault) => {
    const faults = await faultsOf(body);
    expect(
      faults.some((found) => found.startsWith(fault)),
      JSON.stringify(faults),
    ).toBe(true);
  });

  it('with a transformation map of over 1,000 entries', async () => {
    const values = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`word ${index}`, 'x']));
    const faults = await faultsOf(
      mapping([map('email', 'A', { transformations: [{ name: 'map', values }] })]),
    );
    expect(faults).toEqual([`${at}/0/transformations/0/values too_long`]);
  });
});
