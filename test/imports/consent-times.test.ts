import { describe, expect, it } from 'vitest';
import { canMakeMoreThan } from '../../shared/imports/guards/segment-columns.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { faultsOf, map, mapping } from './definition-bodies.ts';
import { importHarness, simpleDefinition, type ImportHarness } from './import-harness.ts';
import { AT, checkRow } from './map-row.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const TIME = 'consent.email.datetime';

/** Maps and checks a row of a time, an e-mail address and a state: the time comes first, which must not matter. */
const checked = async (
  [time, state]: readonly [time: string, state: string],
  more: Partial<FieldMap> = {},
  required_fields: string[] = [],
) => {
  const field_maps = [fieldMap(TIME, TIME, more), fieldMap('email'), fieldMap('consent.email')];
  const outcome = await checkRow(field_maps, [time, 'a@x.org', state], required_fields);
  if (!outcome.ok) return outcome.error.map(({ field, code }) => `${String(field)} ${code}`);
  return outcome.value.patch.consent?.map((said) => `${said.channel} ${said.state} ${String(said.datetime)}`);
};

describe('the column of the time of consent', () => {
  it.each([
    ['2026-01-02T09:00:00+02:00', 'yes', 'email given 2026-01-02 07:00:00'],
    ['2026-01-02 09:00:00', 'no', 'email withdrawn 2026-01-02 09:00:00'],
    ['2026-01-02', 'yes', 'email given 2026-01-02 00:00:00'],
    ['2026-01-02', 'no', 'email withdrawn 2026-01-02 23:59:59'],
    ['2026-01-15', 'no', `email withdrawn ${AT}`],
    ['', 'yes', 'email given undefined'],
    ['', 'no', `email withdrawn ${AT}`],
  ])('dates with %j the cell %j: %s', async (time, state, said) => {
    expect(await checked([time, state])).toEqual([said]);
  });

  it('says nothing beside an empty state', async () => {
    expect(await checked(['2026-01-02', ''])).toBeUndefined();
  });

  it('may have another form, which a transformation reads', async () => {
    const day = { transformations: [{ name: 'date_dmy' as const }] };
    expect(await checked(['02.01.2026', 'yes'], day)).toEqual(['email given 2026-01-02 00:00:00']);
  });

  it.each([
    ['02.01.2026', 'not_a_date'],
    ['2026-01-02T09:00:00', 'not_a_date'],
    ['2026-01-16', 'out_of_range'],
    ['2026-01-15 12:06:00', 'out_of_range'],
  ])('with %j refuses the row: %s', async (time, code) => {
    expect(await checked([time, 'yes'])).toEqual([`${TIME} ${code}`]);
    const drop = { on_bad_value: 'drop_cell' as const };
    expect(await checked([time, 'yes'], drop)).toEqual(['email given undefined']);
  });

  it('can be required, also of withdrawals', async () => {
    for (const state of ['yes', 'no'])
      expect(await checked(['', state], {}, [TIME])).toEqual([`${TIME} required`]);
    expect(await checked(['2026-01-02', 'no'], {}, [TIME])).toEqual(['email withdrawn 2026-01-02 23:59:59']);
  });

  it('makes no segments of its own', () => {
    const field_maps = [fieldMap(TIME), fieldMap('consent.email')];
    expect(canMakeMoreThan(2, { mapping_fields: { field_maps, required_fields: [] } })).toBe(false);
  });
});

describe('a definition with the time of consent', () => {
  const email = map('email', 'a');

  it('needs the consent of that channel, once', async () => {
    const at = (index: number): string => `/mapping_fields/field_maps/${index}/target_field`;
    expect(await faultsOf(mapping([email, map(TIME, 'b'), map('consent.email', 'c')]))).toEqual([]);
    expect(await faultsOf(mapping([email, map(TIME, 'b'), map('consent.sms', 'c')]))).toEqual([
      `${at(1)} not_mapped`,
    ]);
    const twice = [email, map(TIME, 'b'), map(TIME, 'c'), map('consent.email', 'd')];
    expect(await faultsOf(mapping(twice))).toEqual([`${at(2)} duplicate`]);
  });

  it('cannot erase it', async () => {
    const maps = [email, map('consent.email', 'b'), map(TIME, 'c', { erase: true })];
    expect(await faultsOf(mapping(maps))).toEqual(['/mapping_fields/field_maps/2/erase not_erasable']);
  });
});

const { field_maps: simple } = simpleDefinition.mapping_fields;
const definitionWith = (more: readonly object[]): object => definitionOf([...simple, ...more]);
const consentOf = async ({ profiles }: ImportHarness, email: string) => {
  const found = await profiles.findByIdentity(scope, { kind: 'email', value: email });
  return found?.consent.map(({ state, datetime }) => `${state} ${String(datetime)}`);
};

describe('a nightly file that says yes', () => {
  const withdrawal = accepted({ email: 'a@x.org', consent: [{ channel: 'email', state: 'withdrawn' }] }, 0, {
    stamp: stampOf(NOW - 3_600_000),
  });

  it('without dates leaves the withdrawal of the morning alone', async () => {
    const harness = importHarness();
    await harness.apply([withdrawal]);
    const { id } = await harness.define(definitionWith([map('consent.email', 'Newsletter')]));
    await harness.runFile(id, 'email,first_name,Newsletter\na@x.org,A,yes\nb@x.org,B,yes\n');
    expect(await consentOf(harness, 'a@x.org')).toEqual(['withdrawn 2026-01-15 11:00:00']);
    expect(await consentOf(harness, 'b@x.org')).toEqual(['given null']);
  });

  it('with dates says when: before the withdrawal, or after', async () => {
    const harness = importHarness();
    await harness.apply([withdrawal]);
    const maps = [map('consent.email', 'Newsletter'), map(TIME, 'Since')];
    const { id } = await harness.define(definitionWith(maps));
    const fileOf = (time: string): string => `email,first_name,Newsletter,Since\na@x.org,A,yes,${time}\n`;
    await harness.runFile(id, fileOf('2026-01-15 10:59:59'));
    expect(await consentOf(harness, 'a@x.org')).toEqual(['withdrawn 2026-01-15 11:00:00']);
    await harness.runFile(id, fileOf('2026-01-15 11:00:01'));
    expect(await consentOf(harness, 'a@x.org')).toEqual(['given 2026-01-15 11:00:01']);
  });
});
