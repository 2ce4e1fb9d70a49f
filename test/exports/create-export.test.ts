import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { exportAnswer, createdExportAnswer, jobAnswer } from '../../shared/exports/model/answers.ts';
import * as v from 'valibot';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { bodyOf, exportsHarness, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { faultsOf } from './steps.ts';

const harness = (): ExportsHarness => {
  const made = exportsHarness();
  made.fakes.members.set(segment(2), [1]);
  made.fakes.members.set(segment(3), [2]);
  return made;
};
const one = { segment: [segment(2)] };
const custom = (...columns: unknown[]) => ({
  ...one,
  field_set: 'custom',
  custom_result_format: columns,
});
const column = (umbel_field_name: unknown, destination_field_name: unknown = 'x') => ({
  umbel_field_name,
  destination_field_name,
});

/** Codes of a refused body by pointer. */

describe('POST exports', () => {
  it('answers the definition, received, and starts its first job', async () => {
    const made = harness();
    const answer = await made.create({ segment: [segment(3), segment(2), segment(3)] });
    expect(answer).toMatchObject({ ok: true, value: { status: 202 } });
    const body = bodyOf(answer);
    expect(v.is(createdExportAnswer, body)).toBe(true);
    const id = String(scopedId(PROPERTY, 1));
    expect(body).toMatchObject({
      id,
      status: 'received',
      segment: [segment(3), segment(2)],
      field_set: 'all',
      data_format: 'csv',
      scope: 'full',
      formula_guard: true,
      webhook_url: null,
      location: null,
    });
    expect(body).not.toHaveProperty('webhook_secret');
    const job = scopedId(PROPERTY, 1);
    expect(made.started).toEqual([
      { name: `p${PROPERTY}-export-${job}`, input: { property: PROPERTY, export: Number(id), job } },
    ]);
    const read = bodyOf(await made.read({ export_id: id }));
    expect(v.is(exportAnswer, read)).toBe(true);
    expect(read).toEqual({ ...body, status: 'pending' });
    const shown = bodyOf(await made.readJob({ export_id: id, job_id: String(job) }));
    expect(v.is(jobAnswer, shown)).toBe(true);
    expect(shown).toMatchObject({
      id: String(job),
      export: id,
      status: 'pending',
      progress: 0,
      deliveries: [],
    });
  });

  it('shows the webhook secret once, and keeps it encrypted', async () => {
    const made = harness();
    const body = bodyOf(await made.create({ ...one, webhook_url: 'https://hooks.example.com/x' }));
    const secret = String(body['webhook_secret']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret)).toBeDefined();
    const id = String(body['id']);
    expect(bodyOf(await made.read({ export_id: id }))).not.toHaveProperty('webhook_secret');
    expect(JSON.stringify(bodyOf(await made.list()))).not.toContain('secret');
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (const item of made.table.items())
      for (const value of Object.values(item))
        if (value instanceof Uint8Array) expect(Buffer.from(value).includes(bytes)).toBe(false);
    expect(JSON.stringify(made.table.items())).not.toContain(secret);
  });

  it('accepts the nulls of an answer', async () => {
    const made = harness();
    const nothing = {
      collection: null,
      tile_types: null,
      custom_result_format: null,
      start_date: null,
      schedule: null,
      notification_email: null,
      webhook_url: null,
      pgp_public_key: null,
      destination_credentials: null,
    };
    expect((await made.create({ ...one, ...nothing })).ok).toBe(true);
  });

  it('lists definitions and jobs in pages', async () => {
    const made = harness();
    for (let index = 0; index < 3; index += 1) bodyOf(await made.create(one));
    const first = bodyOf(await made.list({ limit: 2 }));
    const ids = (body: Record<string, unknown>) =>
      v.parse(v.array(v.object({ id: v.string() })), body['exports']).map(({ id }) => id);
    expect(ids(first)).toEqual([1, 2].map((n) => String(scopedId(PROPERTY, n))));
    const { next_page } = v.parse(v.object({ next_page: v.string() }), first['paging']);
    const url = new URL(next_page);
    expect(`${url.origin}${url.pathname}`).toBe(`https://api.example.test/v1/${PROPERTY}/exports`);
    const cursor = url.searchParams.get('cursor') ?? '';
    const second = bodyOf(await made.list({ limit: 2, cursor }));
    expect(ids(second)).toEqual([String(scopedId(PROPERTY, 3))]);
    expect(second['paging']).toEqual({ next_page: null });
    expect(await made.list({ cursor: 'forged' })).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('reads of unknown and foreign ids are one and the same 404', async () => {
    const made = harness();
    bodyOf(await made.create(one));
    const known = String(scopedId(PROPERTY, 1));
    const outcomes = await Promise.all([
      made.read({ export_id: String(scopedId(PROPERTY, 9)) }),
      made.read({ export_id: String(scopedId(8, 1)) }),
      made.listJobs({ export_id: String(scopedId(8, 1)) }),
      made.listJobs({ export_id: '12' }),
      made.readJob({ export_id: known, job_id: String(scopedId(PROPERTY, 9)) }),
      made.readJob({ export_id: String(scopedId(8, 1)), job_id: String(scopedId(8, 1)) }),
    ]);
    // The sentences differ in the ids of the request only.
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, error: { status: 404, code: 'not_found' } });
  });
});

describe('a definition is refused, and nothing stored or started,', () => {
  const long = 'x'.repeat(3_000);
  const to = (destination_credentials: unknown) => ({ ...one, destination_credentials });
  const webhook = (url: unknown) => ({ ...one, webhook_url: url });
  const cases: readonly (readonly [string, unknown, ...string[]])[] = [
    ['nothing to export', {}, '/segment nothing_to_export'],
    ['an empty list of segments', { segment: [] }, '/segment nothing_to_export'],
    ['empty lists of all', { segment: [], collection: [] }, '/segment nothing_to_export'],
    ['a segment that is no list', { segment: segment(2) }, '/segment wrong_type'],
    ['a text for segments', { segment: '5' }, '/segment wrong_type'],
    ['a text for an id', { segment: ['5'] }, '/segment/0 wrong_type'],
    ['a fraction', { segment: [segment(2), 1.5] }, '/segment/1 wrong_type'],
    ['a negative id', { segment: [-1] }, '/segment/0 out_of_range'],
    ['zero', { segment: [0] }, '/segment/0 out_of_range'],
    ['an id past 2^53', { segment: [2 ** 53] }, '/segment/0 wrong_type'],
    ['null for an id', { segment: [null] }, '/segment/0 wrong_type'],
    ['10,001 ids', { segment: Array<number>(10_001).fill(segment(2)) }, '/segment too_long'],
    ['1,001 collections', { collection: Array<number>(1_001).fill(1) }, '/collection too_long'],
    ['an unknown segment', { segment: [segment(2), segment(9)] }, '/segment/1 unknown_reference'],
    ['a foreign segment', { segment: [scopedId(8, 2)] }, '/segment/0 unknown_reference'],
    ['a small number', { segment: [5] }, '/segment/0 unknown_reference'],
    ['any collection', { collection: [segment(1)] }, '/collection/0 unknown_reference'],
    ['a collection that is none', { ...one, collection: ['a'] }, '/collection/0 wrong_type'],
    ['custom without a format', { ...one, field_set: 'custom' }, '/custom_result_format required'],
    [
      'a format without custom',
      { ...one, custom_result_format: [column('email')] },
      '/custom_result_format not_allowed',
    ],
    ['a format that is no list', { ...one, custom_result_format: {} }, '/custom_result_format wrong_type'],
    ['an empty format', custom(), '/custom_result_format too_short'],
    [
      'an empty column',
      custom({}),
      '/custom_result_format/0/umbel_field_name required',
      '/custom_result_format/0/destination_field_name required',
    ],
    [
      'an unknown attribute',
      custom(column('shoe_size')),
      '/custom_result_format/0/umbel_field_name unknown_attribute',
    ],
    ['__proto__', custom(column('__proto__')), '/custom_result_format/0/umbel_field_name unknown_attribute'],
    [
      'constructor',
      custom(column('constructor')),
      '/custom_result_format/0/umbel_field_name unknown_attribute',
    ],
    [
      'extra_data without a key',
      custom(column('extra_data.')),
      '/custom_result_format/0/umbel_field_name unknown_attribute',
    ],
    [
      'an empty name',
      custom(column('email', '')),
      '/custom_result_format/0/destination_field_name too_short',
    ],
    ['a long name', custom(column('email', long)), '/custom_result_format/0/destination_field_name too_long'],
    [
      'two columns of one name',
      custom(column('email'), column('city')),
      '/custom_result_format/1/destination_field_name duplicate',
    ],
    [
      '10,000 columns',
      custom(...Array.from({ length: 10_000 }, (_, index) => column('email', `c${index}`))),
      '/custom_result_format too_long',
    ],
    ['a blank name', { ...one, name: ' ' }, '/name blank'],
    ['a name of two lines', { ...one, name: 'a\r\nBcc: b' }, '/name bad_characters'],
    ['a long name', { ...one, name: long }, '/name too_long'],
    ['an unknown field set', { ...one, field_set: 'ALL' }, '/field_set not_allowed'],
    ['an unknown format', { ...one, data_format: 'xlsx' }, '/data_format not_allowed'],
    ['an unknown scope', { ...one, scope: 'x' }, '/scope not_allowed'],
    ['a date that is none', { ...one, start_date: '2026-02-30' }, '/start_date not_a_date'],
    ['a time for a date', { ...one, end_date: '2026-02-03T00:00:00Z' }, '/end_date not_a_date'],
    [
      'an end before the start',
      { ...one, start_date: '2026-02-02', end_date: '2026-02-01' },
      '/end_date out_of_range',
    ],
    ['a guard that is no boolean', { ...one, formula_guard: 'false' }, '/formula_guard wrong_type'],
    ['an unknown field', { ...one, segments: [1] }, '/segments unknown_field'],
    ['a webhook by ftp', webhook('ftp://hooks.example.com/'), '/webhook_url scheme_not_allowed'],
    ['a webhook by http', webhook('http://hooks.example.com/'), '/webhook_url scheme_not_allowed'],
    ['a private webhook', webhook('https://169.254.169.254/'), '/webhook_url private_target'],
    ['a webhook of ourselves', webhook('https://api.example.test/v1/'), '/webhook_url loops_back'],
    ['a long webhook', webhook(`https://hooks.example.com/${long}`), '/webhook_url too_long'],
    ['a list of webhooks', webhook(['https://hooks.example.com/']), '/webhook_url wrong_type'],
    ['an e-mail that is none', { ...one, notification_email: 'a' }, '/notification_email not_an_email'],
    ['two e-mails', { ...one, notification_email: 'a@b.co,d@e.f' }, '/notification_email not_an_email'],
    [
      'an e-mail with a header',
      { ...one, notification_email: 'a@b.co\r\nBcc: x@y.z' },
      '/notification_email not_an_email',
    ],
    ['a number for an e-mail', { ...one, notification_email: 5 }, '/notification_email wrong_type'],
    ['a schedule of numbers', { ...one, schedule: { minute: 5 } }, '/schedule/minute wrong_type'],
    ['a PGP key that is none', { ...one, pgp_public_key: '-----BEGIN…' }, '/pgp_public_key not_a_pgp_key'],
    ['a schedule without a time', { ...one, schedule: {} }, '/schedule required'],
    ['a schedule of every minute', { ...one, schedule: { minute: '*' } }, '/schedule too_frequent'],
    ['a field that is none', { ...one, schedule: { hour: '25' } }, '/schedule/hour not_a_cron_field'],
    ['an unknown type', { tile_types: ['category'] }, '/tile_types/0 not_allowed'],
    [
      'a delta that tells of nobody',
      { ...custom(column('city')), scope: 'delta' },
      '/custom_result_format identity_required',
    ],
    [
      'a delta with a column of its own name',
      { ...custom(column('email', 'change')), scope: 'delta' },
      '/custom_result_format/0/destination_field_name duplicate',
    ],
    [
      'a destination with a scheme',
      to({ domain: 'sftp://files.example.com', client_id: 'me' }),
      '/destination_credentials/domain not_a_host',
    ],
    [
      'a private destination',
      to({ domain: '127.1:2222', client_id: 'me' }),
      '/destination_credentials/domain private_target',
    ],
    [
      'a destination with an unknown field',
      { ...one, destination_credentials: { domain: 'sftp.example.com', client_id: 'me', secret: 'x' } },
      '/destination_credentials/secret unknown_field',
    ],
    [
      'several things, with all of them in one answer',
      { segment: [segment(99)], webhook_url: 'ftp://hook.example', pgp_public_key: 'no key' },
      '/pgp_public_key not_a_pgp_key',
      '/webhook_url scheme_not_allowed',
      '/segment/0 unknown_reference',
    ],
  ];

  it.each(cases)('%s', async (_, body, ...faults) => {
    const made = harness();
    made.fakes.privateTargets = 'none';
    const answer = await made.create(body);
    expect(answer).toMatchObject({ ok: false, error: { status: 422 } });
    expect(faultsOf(answer)).toEqual(faults);
    expect(made.started).toEqual([]);
    expect(made.table.items()).toEqual([]);
  });

  it('whatever its faults, without repeating the request', async () => {
    const answer = await harness().create({
      ...one,
      webhook_url: 'ftp://canary/',
      data_format: 'canary',
      canary: 1,
    });
    expect(JSON.stringify(answer).replaceAll('"/canary"', '')).not.toContain('canary');
  });
});
