import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { deriveKeys } from '../../shared/properties/property-keys.ts';
import type { CandidateState } from '../../shared/exports/parts/candidates.ts';
import { isExportField } from '../../shared/exports/model/fields.ts';
import type { ExportDefinition, ExportPlan } from '../../shared/exports/model/items.ts';
import { layoutOf } from '../../shared/exports/file/layout.ts';
import { gonePrinter, ordinaryPrinter, profilePrinter } from '../../shared/exports/parts/print-profile.ts';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { type ResolvedProfile } from '../../shared/profiles/types.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { exportDefinition } from '../support/export-definition.ts';
import { profile, PROPERTY } from './harness.ts';
import { columnsOf } from './steps.ts';

const keys = deriveKeys(randomBytes(32)).uuid;

const printed = (
  profile: ResolvedProfile,
  more: Partial<ExportDefinition> = {},
  {
    standing = 'added',
    base = null,
    at = 0,
  }: { standing?: CandidateState; base?: ExportPlan['base']; at?: number } = {},
) => profilePrinter(exportDefinition(PROPERTY, more), keys, { base, watermark: at })(profile, standing);

const table = v.array(v.array(v.string()));

/** The cells of a profile by the names of their columns. */
const cellsOf = (profile: ResolvedProfile, more: Partial<ExportDefinition> = {}): Record<string, string> => {
  const row = printed(profile, more);
  if (typeof row === 'string') throw new Error(`no row: ${row}`);
  const [cells = []] = v.parse(table, parse(row.map(({ line }) => line).join('\n')));
  const { header } = layoutOf(exportDefinition(PROPERTY, more));
  expect(cells).toHaveLength(header.length);
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
};

describe('the row of a profile', () => {
  it('has each attribute in its own column, lists as imports read them', () => {
    const own = returnedFields.filter((name) => name !== 'profile_uuid');
    const fields = Object.fromEntries(own.map((name) => [name, `the ${name}`]));
    const datetime = '2026-05-05 12:00:00';
    const whole = profile(77, {
      fields,
      country: 'DE',
      age: 0,
      sources: ['crm', 'shop'],
      tags: ['vip', 'new', 'vip'].map((tag) => ({ tag, datetime })),
      likes: ['11', '12'],
    });
    expect(cellsOf(whole)).toEqual({
      ...fields,
      profile_uuid: sealOrdinal(keys, 77),
      country: 'DE',
      age: '0',
      source: 'crm,shop',
      tags: 'vip;new',
      social_likes: '11;12',
    });
  });

  it('has empty cells for unknown values, and no extra data', () => {
    const { profile_uuid, ...cells } = cellsOf(profile(1));
    expect(profile_uuid).toBe(sealOrdinal(keys, 1));
    expect(new Set(Object.values(cells))).toEqual(new Set(['']));
    expect(printed(profile(1))).toMatchObject([{ extra: undefined }]);
  });

  it('keeps its extra data for the columns that follow, in field set all only', () => {
    const extra = { plan: 'gold' };
    expect(printed(profile(1, { extra }))).toMatchObject([{ extra }]);
    expect(printed(profile(1, { extra }), columnsOf('age'))).toEqual([{ line: '""', extra: undefined }]);
  });

  it('of a custom format writes extra data by key, and as JSON with sorted keys', () => {
    const extra = { text: 'a,b', score: 1.5, yes: true, list: ['x', 2, null], blank: '' };
    const named = [...Object.keys(extra), 'absent', 'constructor'].map((key) => `extra_data.${key}`);
    expect(cellsOf(profile(1, { extra }), columnsOf(...named, 'extra_data'))).toEqual({
      'extra_data.text': 'a,b',
      'extra_data.score': '1.5',
      'extra_data.yes': 'true',
      'extra_data.list': '["x",2,null]',
      'extra_data.blank': '',
      'extra_data.absent': '',
      'extra_data.constructor': '',
      extra_data: '{"blank":"","list":["x",2,null],"score":1.5,"text":"a,b","yes":true}',
    });
    expect(cellsOf(profile(1), columnsOf('extra_data', 'age'))).toEqual({ extra_data: '', age: '' });
  });

  it.each([
    ['age', true],
    ['profile_uuid', true],
    ['extra_data', true],
    ['extra_data.plan', true],
    ['extra_data.', false],
    ['extra', false],
    ['plan', false],
    ['constructor', false],
  ])('may have a column of %j: %j', (name, expected) => {
    expect(isExportField(name)).toBe(expected);
  });
});

describe('a row for a property that does not use special categories', () => {
  const now = Date.parse('2026-05-05T00:00:00Z');
  const values = { first_name: 'Ada', ethnicity: 'Elf' };
  const rowOf = (one: ResolvedProfile, more: Partial<ExportDefinition>) =>
    ordinaryPrinter(
      profilePrinter(exportDefinition(PROPERTY, more), keys, { base: null, watermark: now }),
      () => now,
    )(one, 'added');
  const formats = [
    columnsOf('first_name', 'ethnicity', 'birthday', 'age'),
    { field_set: 'all' },
    { field_set: 'all', file_type: 'json' },
  ] as const;

  it.each<[string | null, number | null, { readonly birthday?: null; readonly age?: null }]>([
    ['2008-05-06', null, { birthday: null }],
    ['2008-05-06', 18, { birthday: null, age: null }],
    ['2008-05-05', null, {}],
    ['2008-05-05', 17, { age: null }],
    [null, 17, { age: null }],
    [null, 18, {}],
  ])('leaves out what is special of birthday %s and age %s', (birthday, age, left) => {
    const own = profile(1, { fields: { ...values, birthday }, age });
    const { age: shown = age, ...fields } = left;
    const expected = profile(1, { fields: { ...values, birthday, ...fields, ethnicity: null }, age: shown });
    for (const more of formats) {
      expect(rowOf(own, more)).toEqual(printed(expected, more));
      expect(rowOf(own, more)).not.toEqual(printed(own, more));
    }
  });
});

describe('a row of a delta', () => {
  const DAY = Date.parse('2026-05-05T00:00:00Z');
  const base = { job: 1, members_key: 'm', watermark: DAY + 3_600_000, uncertain_key: null };
  const since = base.watermark - limits.exports.deltaOverlapSeconds * 1000;
  const before = { start_date: '2026-05-06' };
  const delta = (standing: CandidateState, updatedAt: number, dates: Partial<ExportDefinition> = {}) => {
    const ada = profile(1, { fields: { email: 'ada@example.org', city: 'Ulm' }, extra: { a: 1 }, updatedAt });
    const more = { ...columnsOf('email', 'city'), scope: 'delta', ...dates } as const;
    const row = printed(ada, more, { standing, base });
    return typeof row === 'string' ? row : row.map(({ line }) => line).join('\n');
  };

  it.each([
    ['a new member is added', 'added', 0, {}, 'added,ada@example.org,Ulm'],
    ['a new member outside the dates has no row', 'added', since, before, 'filtered'],
    ['a member who was there and has not changed has no row', 'kept', since - 1, {}, 'filtered'],
    ['a member who was there and may have changed is told', 'kept', since, {}, 'changed,ada@example.org,Ulm'],
    [
      'a member who left the dates is removed, by identities only',
      'kept',
      since,
      before,
      'removed,ada@example.org,',
    ],
    ['a member who left is removed, whatever the dates', 'removed', 0, before, 'removed,ada@example.org,'],
  ] as const)('%s', (_, standing, updatedAt, dates, expected) => {
    expect(delta(standing, updatedAt, dates)).toBe(expected);
  });

  it('is told when a restriction began or ended since, though the profile is older', () => {
    const kept = (restricted: boolean, usedSince: number) => {
      const own = profile(1, { fields: { email: 'ada@example.org' }, updatedAt: 0, restricted, usedSince });
      return printed(own, { ...columnsOf('email'), scope: 'delta' }, { standing: 'kept', base });
    };
    expect(kept(false, since - 1)).toBe('filtered');
    expect(kept(false, since)).toMatchObject([{ line: 'changed,ada@example.org' }]);
    expect(kept(true, since)).toMatchObject([{ line: 'removed,ada@example.org' }]);
  });

  it.each([
    ['kept', 'email', ['removed,old@example.org', 'changed,ada@example.org']],
    ['removed', 'email', ['removed,old@example.org', 'removed,ada@example.org']],
    ['added', 'email', ['added,ada@example.org']],
    ['kept', ['unique_id', 'email'], ['removed,,old@example.org', 'changed,u1,ada@example.org']],
    ['kept', ['profile_uuid', 'email'], [`changed,${sealOrdinal(keys, 1)},ada@example.org`]],
  ] as const)(
    'of a member who was %s names a former address, if the file has no UUIDs (%j)',
    (standing, columns, lines) => {
      const former = [
        { kind: 'email', value: 'old@example.org' },
        { kind: 'social_id', value: 's' },
      ] as const;
      const ada = profile(1, {
        fields: { unique_id: 'u1', email: 'ada@example.org' },
        former,
        updatedAt: since,
      });
      const format = columns === 'email' ? ({ field_set: 'email' } as const) : columnsOf(...columns);
      const rows = printed(ada, { ...format, scope: 'delta' }, { standing, base });
      expect(typeof rows === 'string' ? rows : rows.map(({ line }) => line)).toEqual(lines);
    },
  );

  it('that is removed carries no extra data', () => {
    const left = profile(1, { extra: { plan: 'gold' } });
    expect(printed(left, { scope: 'delta' }, { standing: 'removed' })).toMatchObject([{ extra: undefined }]);
    expect(printed(left, { scope: 'delta' })).toMatchObject([{ extra: { plan: 'gold' } }]);
  });
});

it('a change names somebody who is gone by `profile_uuid`, whatever other names a client gives the UUID', () => {
  const column = (destination_field_name: string) => ({
    umbel_field_name: 'profile_uuid',
    destination_field_name,
  });
  const definition = exportDefinition(PROPERTY, {
    ...{ scope: 'delta', data_format: 'jsonl', field_set: 'custom' },
    custom_result_format: [column('id'), column('profile_uuid')],
    changes: { url: 'https://crm.example/hooks', kinds: ['removed'], first: 'none' },
  });
  const uuid = sealOrdinal(keys, 7);
  const line = JSON.stringify({ change: 'removed', id: uuid, profile_uuid: uuid });
  expect(gonePrinter(definition, keys)?.(7)).toMatchObject({ line });
});

describe('no row', () => {
  it('is skipped without an e-mail in field set email, and not asked for outside the dates', () => {
    const email = { field_set: 'email' } as const;
    const ada = profile(1, { fields: { email: 'ada@example.org' } });
    expect(printed(profile(1), email)).toBe('skipped');
    expect(printed(ada, email)).toEqual([{ line: 'ada@example.org', extra: undefined }]);
    expect(printed(ada, { ...email, end_date: '2026-05-04' })).toBe('filtered');
  });
});
