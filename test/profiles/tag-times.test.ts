import { describe, expect, it } from 'vitest';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { accepted, context, refused } from './records.ts';

const tagged = (datetime: unknown) => ({ tags: [{ datetime, tag: ['jazz'] }] });

describe('the time of a tag', () => {
  it.each([
    ['2026-11-22 09:00:00', '2026-11-22 09:00:00'],
    ['2026-11-22T09:00:00Z', '2026-11-22 09:00:00'],
    ['2026-11-22T09:00:00.123Z', '2026-11-22 09:00:00'],
    ['2026-11-22T00:30:00+01:00', '2026-11-21 23:30:00'],
    ['2026-12-31T23:59:59-00:01', '2027-01-01 00:00:59'],
    ['0001-01-01T00:00:00Z', '0001-01-01 00:00:00'],
  ])('%s is stored as %s', (sent, stored) => {
    expect(accepted(tagged(sent)).tags).toEqual([{ tag: 'jazz', datetime: stored }]);
  });

  it.each([
    '2026-11-22',
    '2026-11-22T09:00:00',
    '2026-11-22 09:00:00Z',
    '2026-11-22 09:00:00.5',
    '2026-02-30T09:00:00Z',
    '2026-11-22T24:00:00Z',
    '2026-11-22T09:00:00+24:00',
    '2026-11-22T09:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '22.11.2026 09:00:00',
  ])('%s is refused', (sent) => {
    expect(refused({ unique_id: 'u', ...tagged(sent) })).toEqual(['tags.0.datetime not_a_date']);
  });
});

describe('unknown fields of a record', () => {
  it('are all reported at once with other faults, each with the nearest field', () => {
    const sent = { unique_id: 'u', phone: '1', emial: 'a@example.org', hat_size: 7, birthday: '1.2.1990' };
    const result = normalizeRecord(sent, context);
    if (result.ok) throw new Error('accepted');
    const told = result.error.map(({ field, code, message }) => `${field ?? ''} ${code} ${message}`);
    expect(told.toSorted()).toEqual([
      'birthday not_a_date Must be a date such as 1990-05-17.',
      expect.stringMatching(/^emial unknown_field .*email/),
      expect.stringMatching(/^hat_size unknown_field /),
      expect.stringMatching(/^phone unknown_field .*phone_number/),
    ]);
  });
});
