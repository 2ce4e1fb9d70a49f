import { describe, expect, it } from 'vitest';
import { importHarness } from './import-harness.ts';
import { fieldMap } from '../support/field-map.ts';

const inspected = (file: string) => importHarness().inspect(file);

describe('the inspection of consent', () => {
  it.each([
    ['Opt-in', ['yes', 'no'], 'consent.email', undefined],
    [
      'Einwilligung',
      ['erteilt', 'widerrufen'],
      'consent.email',
      { erteilt: 'given', widerrufen: 'withdrawn' },
    ],
    ['SMS opt-in', ['1', '0'], 'consent.sms', { 1: 'given', 0: 'withdrawn' }],
    ['newsletter', ['x', ''], 'consent.email', { x: 'given' }],
    ['Newsletter', ['Weekly', 'yes'], 'extra_data.Newsletter', undefined],
    ['Newsletter', ['2024-01-01', ''], 'extra_data.Newsletter', undefined],
  ])('a column %s with %j goes to %s', async (name, cells, target_field, values) => {
    const rows = cells.map((cell, index) => `a${index}@x.org,${cell}`);
    const { suggestion } = await inspected([`email,${name}`, ...rows].join('\n'));
    const suggested = suggestion.definition?.mapping_fields.field_maps[1];
    expect(suggested).toMatchObject({ target_field });
    if (target_field.startsWith('consent.'))
      expect(suggested?.transformations).toEqual(values && [{ name: 'map', values }]);
  });

  it.each([
    [['2026-01-02T09:00:00Z', '2026-01-03 10:00:00'], undefined],
    [['02.01.2026', '23.01.2026'], [{ name: 'date_dmy' }]],
  ])('a column of dates beside consent dates the consent: %j', async (dates, transformations) => {
    const rows = dates.map((date, index) => `a${index}@x.org,${date},nein`);
    const file = ['email,Einwilligungsdatum,Einwilligung', ...rows].join('\n');
    const { suggestion } = await inspected(file);
    const [, dated, said] = suggestion.definition?.mapping_fields.field_maps ?? [];
    expect(dated).toEqual(
      fieldMap('consent.email.datetime', 'Einwilligungsdatum', transformations && { transformations }),
    );
    expect(said).not.toHaveProperty('on_bad_value');
    const alone = await inspected(file.replaceAll('nein', 'Weekly'));
    const targets = alone.suggestion.definition?.mapping_fields.field_maps.map((each) => each.target_field);
    expect(targets).toEqual(['email', 'extra_data.Einwilligungsdatum', 'extra_data.Einwilligung']);
  });

  it('no time is suggested for a statement that no definition can name, and the statement is a doubt', async () => {
    const { suggestion } = await inspected('email,Newsletter\ufffd,Consent date\na@x.org,ja,2026-01-02');
    expect(suggestion.definition?.mapping_fields.field_maps).toMatchObject([{ target_field: 'email' }]);
    expect(suggestion.columns.slice(1)).toMatchObject([
      { kind: 'left_out', why: [expect.stringContaining('U+FFFD')] },
      { kind: 'left_out', why: [expect.stringContaining('statements is left out')] },
    ]);
    expect(suggestion.doubts).toContainEqual(
      expect.objectContaining({ column: 'Newsletter\ufffd', examples: ['ja'], cells: 1 }),
    );
  });
});
