import { describe, expect, it } from 'vitest';
import {
  exportLink,
  isLasting,
  placeOf,
  reasonOf,
  sizeOf,
  undeliveredIn,
  type ExportDefinition,
  type ExportJob,
} from '../../console/src/exports/exports.ts';
import { formatOf } from '../../console/src/format.ts';
import { en } from '../../console/src/texts/en.ts';

const download: ExportDefinition = {
  ...{ id: '1', name: 'Jazz', property: 7, created: '2026-11-01T00:00:00Z', segment: [5], collection: [] },
  ...{ tile_types: [], consent: null, field_set: 'email', data_format: 'csv', compression: 'none' },
  ...{ file_name: null, directory: null, scope: 'full', custom_result_format: null, start_date: null },
  ...{
    end_date: null,
    formula_guard: true,
    skip_empty: false,
    changes: null,
    schedule: null,
    next_run: null,
    notification_email: null,
  },
  ...{ webhook_url: null, pgp_public_key: null, destination_credentials: null, s3_destination: null },
  ...{ status: 'complete', location: null },
};
const mailed = { ...download, notification_email: 'ada@example.org' };

describe('an export', () => {
  it('is lasting with a schedule or a receiver, and a mere download otherwise', () => {
    expect(isLasting(download)).toBe(false);
    expect(isLasting(mailed)).toBe(true);
    expect(isLasting({ ...download, schedule: { hour: '6' } })).toBe(true);
  });

  it('names all of its receivers, or the one of a delivery', () => {
    const both = { ...mailed, webhook_url: 'https://hook.example.org/in' };
    expect(placeOf(both)).toBe('ada@example.org, hook.example.org');
    expect(placeOf(both, 'webhook')).toBe('hook.example.org');
    expect(placeOf(both, 'sftp')).toBeUndefined();
    expect(placeOf(download)).toBeUndefined();
  });

  it('leads to its first segment, if it has one', () => {
    expect(exportLink(download)).toBe('#/segments/5');
    expect(exportLink({ ...download, segment: [] })).toBeUndefined();
  });

  it('counts people, and rows of a delta, in which some have left', () => {
    const format = formatOf('en', () => 0);
    const job: ExportJob = {
      ...{ id: '2', export: '1', property: 7, run: 1, status: 'complete', created: '2026-11-01T00:00:00Z' },
      ...{ started: null, finished: null, progress: 1, rows: 1_410, rows_skipped: 0, file_name: null },
      ...{ bytes: null, sha256: null, delta_from: null, location: null, manifest: null, error: null },
      deliveries: [],
    };
    expect(sizeOf(en, format, { definition: download, job })).toBe('1,410 people');
    expect(sizeOf(en, format, { definition: { ...download, scope: 'delta' }, job })).toBe('1,410 rows');
    expect(sizeOf(en, format, { definition: download, job: undefined })).toBeUndefined();
  });

  it('says in words why a mail did not go out, and leaves other reasons as they are', () => {
    for (const code of ['unconfirmed_address', 'withdrawn_address', 'too_many_mails_today'])
      expect(reasonOf(en, code)).toContain(' mail');
    expect(reasonOf(en, 'the server refused the file')).toBe('the server refused the file');
    expect(reasonOf(en, 'toString')).toBe('toString');
    expect(reasonOf(en, null)).toBeNull();
  });
});

it('a delivery that waits for its first attempt has not failed', () => {
  const failed = { state: 'retrying', last_error: 'no answer' };
  expect(undeliveredIn([{ state: 'waiting', last_error: null }])).toBeUndefined();
  expect(undeliveredIn([{ state: 'retrying', last_error: null }])).toBeUndefined();
  expect(undeliveredIn([{ state: 'delivered', last_error: null }, failed])).toBe(failed);
});
