import { describe, expect, it } from 'vitest';
import { createExport, replaceExport } from '../../functions/exports/entries.ts';
import { createImport, inspectImport, replaceImport } from '../../functions/imports/definition-entries.ts';
import { createProfile } from '../../functions/profiles/entries.ts';
import { createTimeline } from '../../functions/timelines/entries.ts';
import { parseEvent } from '../../shared/edge/event.ts';
import { readInput, type InputSchemas } from '../../shared/edge/request-input.ts';
import { apiEvent } from '../support/api-event.ts';
import { fieldMap } from '../support/field-map.ts';

const placesOf = <Body>(trigger: InputSchemas<unknown, Body>, body: unknown): readonly string[] => {
  const event = apiEvent({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const read = readInput(trigger, parseEvent(event), Date.UTC(2026, 0, 1));
  const faults = read.ok ? [] : (read.error.errors ?? []);
  return faults.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
};

const map = (target_field: string, more: object = {}) => fieldMap(target_field, 'a', more);
const mapping = (...field_maps: readonly unknown[]) => ({
  mapping_fields: { required_fields: ['age'], field_maps },
});

describe('a body with faults of its schema and of the rules over several fields', () => {
  it.each([
    ['POST imports', createImport.trigger],
    ['PUT imports', replaceImport.trigger],
  ])('has them all in one answer: %s', (_, trigger) => {
    const body = { name: '', delimiter: 'dot', ...mapping(map('emial'), map('city'), map('city')) };
    expect(placesOf(trigger, body)).toEqual([
      '/delimiter not_allowed',
      '/mapping_fields/field_maps/0/target_field unknown_target',
      '/mapping_fields/field_maps/2/target_field duplicate',
      '/mapping_fields/required_fields/0 not_mapped',
      '/name invalid',
    ]);
  });

  it('has the faults of each valid field map beside those of an invalid one', () => {
    const body = { name: 'x', ...mapping(map('emial'), map('city', { split: 7 })) };
    expect(placesOf(createImport.trigger, body)).toEqual([
      '/mapping_fields/field_maps/0/target_field unknown_target',
      '/mapping_fields/field_maps/1/split wrong_type',
    ]);
    expect(placesOf(createImport.trigger, { name: 7, mapping_fields: 'x' })).toEqual([
      '/mapping_fields wrong_type',
      '/name wrong_type',
    ]);
  });

  it('has those of the definition that judges an inspected file', () => {
    const body = { content: 7, definition: { name: 'x', ...mapping(map('emial'), map('age')) } };
    expect(placesOf(inspectImport.trigger, body)).toEqual([
      '/content wrong_type',
      '/definition/mapping_fields/field_maps/0/target_field unknown_target',
    ]);
  });

  it('has those of a record: of its valid fields, and a missing identity only if none is at fault', () => {
    const address = { city: 'Ulm' };
    const valid = { birthday: '2026-01-02', city: 'Bonn', address, extra_data: { a: {} } };
    const record = { ...valid, age: 'x', foo: 1 };
    const inAll = [
      '/address/city conflicting_values',
      '/age wrong_type',
      '/birthday out_of_range',
      '/extra_data/a wrong_type',
      '/foo unknown_field',
    ];
    expect(placesOf(createProfile.trigger, record)).toEqual([' identity_missing', ...inAll]);
    expect(placesOf(createProfile.trigger, { ...record, email: 'x' })).toEqual(
      [...inAll, '/email not_an_email'].toSorted(),
    );
    const unclean = { ...valid, unique_id: '7', gender: '\u0007' };
    expect(placesOf(createProfile.trigger, unclean)).toEqual([
      '/address/city conflicting_values',
      '/birthday out_of_range',
      '/extra_data/a wrong_type',
      '/gender bad_characters',
    ]);
  });

  it('has those of an export, by the rules all of whose fields are valid', () => {
    const columns = [{ umbel_field_name: 'email', destination_field_name: 'change' }];
    const body = { field_set: 'custom', custom_result_format: columns, scope: 'delta', directory: 'in' };
    const dates = { start_date: '2026-02-01', end_date: '2026-01-01' };
    for (const { trigger } of [createExport, replaceExport]) {
      expect(placesOf(trigger, { ...body, ...dates, compression: 7 })).toEqual([
        '/compression not_allowed',
        '/custom_result_format/0/destination_field_name duplicate',
        '/directory not_allowed',
        '/end_date out_of_range',
        '/segment nothing_to_export',
      ]);
      const faulty = { field_set: 7, scope: 7, segment: 7, destination_credentials: 7, end_date: 7 };
      expect(placesOf(trigger, { ...body, ...dates, ...faulty }).map((place) => place.split(' ')[0])).toEqual(
        Object.keys(faulty)
          .map((name) => `/${name}`)
          .toSorted(),
      );
    }
  });

  it('has those of the schedule of a timeline', () => {
    const schedule = { minute: '0', hour: '3', day_of_month: '31', month: '2' };
    expect(placesOf(createTimeline.trigger, { name: '', reference_tile: 7, schedule })).toEqual([
      '/name blank',
      '/schedule never_runs',
    ]);
  });
});
