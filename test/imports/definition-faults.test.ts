import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { faultsOf, map, mapping } from './definition-bodies.ts';
import { importHarness, request, simpleDefinition } from './import-harness.ts';

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
        map('first_name', 'a', {
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
    [
      'every option of a field map',
      mapping([
        map('tags', 'a', { split: '|', on_bad_value: 'drop_cell', erase: true }),
        map('email', 'b', { on_bad_value: 'refuse_row', erase: false }),
        { sources: [{ type: 'constant', value: 'box office' }], target_field: 'source' },
        {
          sources: [
            { type: 'constant', value: 'shop' },
            { type: 'source_field', name: 'A' },
          ],
          target_field: 'unique_id',
        },
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
    ...(
      [
        [map('city', 'a', { split: ';' }), '/split not_a_list'],
        [map('tags', 'a', { split: '' }), '/split too_short'],
        [map('tags', 'a', { split: 'x'.repeat(11) }), '/split too_long'],
        [map('city', 'a', { on_bad_value: 'ignore' }), '/on_bad_value not_allowed'],
        [map('city', 'a', { erase: 'yes' }), '/erase wrong_type'],
        ...['email', 'unique_id', 'social_id', 'social_token', 'attribute_source'].map(
          (target) => [map(target, 'a', { erase: true }), '/erase not_erasable'] as const,
        ),
        ...['email', 'social_token'].map(
          (target_field) =>
            [
              { sources: [{ type: 'constant', value: 'a@x.org' }], target_field },
              '/sources needs_column',
            ] as const,
        ),
        [
          map('email', 'a', { transformations: [{ name: 'default', value: 'a@x.org' }] }),
          '/transformations/0/name not_for_identities',
        ],
        [{ sources: [{ type: 'constant', value: '' }], target_field: 'city' }, '/sources/0/value too_short'],
        [{ sources: [{ type: 'constant', name: 'a' }], target_field: 'city' }, '/sources/0/value required'],
        [
          {
            sources: ['a', 'b', 'a'].map((name) => ({ type: 'source_field', name })),
            target_field: 'city',
          },
          '/sources/2/name duplicate',
        ],
        [
          {
            sources: [1, 2, 1].map((occurrence) => ({ type: 'source_field', name: 'a', occurrence })),
            target_field: 'city',
          },
          '/sources/2/name duplicate',
        ],
        ...[0, 2_001, 1.5, '1'].map(
          (occurrence) =>
            [
              { sources: [{ type: 'source_field', name: 'a', occurrence }], target_field: 'city' },
              '/sources/0/occurrence ',
            ] as const,
        ),
      ] as const
    ).map(([fieldMap, fault]) => [mapping([fieldMap]), `${at}/0${fault}`] as const),
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
        [{ name: 'strip', pivot: 30 }, '/pivot unknown_field'],
        [{ name: 'date', pivot: 100 }, '/pivot out_of_range'],
        [{ name: 'date_dmy', pivot: 100 }, '/pivot out_of_range'],
        [{ name: 'date_dmy', pivot: '30' }, '/pivot wrong_type'],
        [{ name: 'map' }, '/values required'],
        [{ name: 'map', values: {} }, '/values too_short'],
        [{ name: 'map', values: { '': 'Yes' } }, '/values/ too_short'],
        [{ name: 'map', values: { ja: true } }, '/values/ja wrong_type'],
        [{ name: 'map', values: { ja: 'Yes' }, otherwise: 'ignore' }, '/otherwise not_allowed'],
        [{ name: 'default', value: '' }, '/value too_short'],
        [{ name: 'replace', from: '', to: '' }, '/from too_short'],
        [{ name: 'replace', from: 'a' }, '/to required'],
        [{ name: 'replace', from: 'a', to: 'x'.repeat(1_025) }, '/to too_long'],
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

describe('the fault of a target', () => {
  it.each([
    [
      'birth_day',
      'Is not a field of a record. Did you mean birthday? Other data goes into extra_data.<name>.',
    ],
    [
      'phone',
      'Is not a field of a record. Did you mean phone_number? Other data goes into extra_data.<name>.',
    ],
    [
      'address.cty',
      'Is not a field of a record. Did you mean address.city? Other data goes into extra_data.<name>.',
    ],
    ['shoe size', 'Is not a field of a record. Other data goes into extra_data.<name>.'],
  ])('%j says what to do', async (target, detail) => {
    const body = v.parse(importBody, mapping([map(target)]));
    const answer = await createImport(importHarness().deps, request({}, {}, body));
    expect(answer).toMatchObject({ ok: false, error: { errors: [{ code: 'unknown_target', detail }] } });
  });
});
