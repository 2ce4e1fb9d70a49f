import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { exportBody } from '../../shared/exports/model/schemas.ts';
import { withoutReadOnly } from '../../shared/edge/read-only.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { s3_destination } from './bucket.ts';
import { withPeople, faultsOf } from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';

/** Every optional field of the body, each in an export that may have it. */
const everyField = async (): Promise<readonly Record<string, unknown>[]> => [
  {
    name: 'Jazz, weekly',
    segment: [segment(2), segment(3)],
    field_set: 'custom',
    data_format: 'jsonl',
    compression: 'gzip',
    scope: 'delta',
    custom_result_format: [
      { umbel_field_name: 'email', destination_field_name: 'E-mail' },
      { umbel_field_name: 'extra_data.plan', destination_field_name: 'Plan' },
    ],
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    formula_guard: false,
    file_name: '{name}-{date}.csv',
    directory: 'in/{date}',
    schedule: { hour: '3', day_of_week: 'mon-fri', timezone: 'Europe/Berlin' },
    notification_email: 'Ada@bücher.example',
    webhook_url: 'https://hooks.example.com/x?y=1',
    pgp_public_key: publicText(await newPgpKey()),
    destination_credentials: { domain: 'files.example.com:2222', client_id: 'receiver' },
  },
  { tile_types: ['brand'], directory: 'in', s3_destination },
  { segment: [segment(2)], schedule: { minute: '5', hour: '7', day_of_month: '1', month: '2', once: true } },
];

const harnessWith = (): ExportsHarness => {
  const harness = withPeople();
  harness.fakes.members.set(segment(3), [3]);
  return harness;
};

const named = v.looseObject({ id: v.string() });

/** A body as the edge hands it on: without the fields that the service assigns. */
const sent = (shown: Record<string, unknown>): unknown => withoutReadOnly(shown, ['next_run']);
const assigned = new Set([
  ...['id', 'created', 'status', 'location', 'webhook_secret', 'destination_credentials'],
]);

/** The fields of an answer that come from the request. */
const asked = (shown: Record<string, unknown>): unknown => {
  const destination = v.parse(v.nullable(v.looseObject({})), shown['destination_credentials']);
  const fields = Object.entries(shown).filter(([name]) => !assigned.has(name));
  return [Object.fromEntries(fields), destination && { ...destination, public_key: null }];
};

describe('what GET of an export answers', () => {
  it('can be sent back by PUT, unchanged, and changes nothing', async () => {
    for (const body of await everyField()) {
      const harness = harnessWith();
      const { id: export_id } = v.parse(named, bodyOf(await harness.create(body)));
      const shown = bodyOf(await harness.read({ export_id }));
      const replaced = bodyOf(await harness.replace({ export_id }, sent(shown)));
      expect(replaced).toEqual(shown);
      expect(bodyOf(await harness.read({ export_id }))).toEqual(shown);
    }
  });

  it('can be sent back by POST, and makes an export like it', async () => {
    for (const body of await everyField()) {
      const harness = harnessWith();
      const made = bodyOf(await harness.create(body));
      const { id: export_id } = v.parse(named, made);
      const shown = bodyOf(await harness.read({ export_id }));
      const again = bodyOf(await harness.create(sent(shown)));
      expect(again['id']).not.toBe(export_id);
      expect(asked(again)).toEqual(asked(shown));
      // The answer to the POST, with its secret, is taken as well.
      expect(asked(bodyOf(await harness.create(sent(made))))).toEqual(asked(shown));
    }
  });
});

describe('an empty text in the body of an export', () => {
  const plain = { segment: [segment(2)] };

  it('is not supplied, wherever it stands', () => {
    const blank = {
      ...{
        name: '',
        file_name: '',
        directory: '',
        field_set: '',
        data_format: '',
        compression: '',
        scope: '',
        start_date: '',
        end_date: '',
      },
      ...{ notification_email: '', webhook_url: '', pgp_public_key: '' },
    };
    expect(check(exportBody, { ...plain, ...blank })).toEqual(check(exportBody, plain));
    const schedule = { minute: '', hour: '3', day_of_month: '', month: '', day_of_week: '' };
    expect(check(exportBody, { ...plain, schedule })).toEqual(
      check(exportBody, { ...plain, schedule: { hour: '3' } }),
    );
  });

  it('does not replace a required field, and does not excuse an unknown field', async () => {
    const harness = harnessWith();
    const faults = async (more: object) => faultsOf(await harness.create({ ...plain, ...more }));
    expect(await faults({ schedule: { hour: '' } })).toEqual(['/schedule required']);
    expect(await faults({ destination_credentials: { domain: '', client_id: 'x' } })).toEqual([
      '/destination_credentials/domain too_short',
    ]);
    expect(await faults({ unknown: '' })).toEqual(['/unknown unknown_field']);
  });
});

describe('an address for notices', () => {
  it.each([
    ['ada@example.org', undefined],
    ['Ada.Lovelace+x@bücher.example', undefined],
    ['zoë@example.org', 'not_a_mailbox'],
    ['bar\u212a@example.org', 'not_a_mailbox'],
    ['no address', 'not_an_email'],
    ['a@b@example.org', 'not_an_email'],
  ])('%j: %s', async (notification_email, code) => {
    const answer = await harnessWith().create({ segment: [segment(2)], notification_email });
    expect(faultsOf(answer)).toEqual(code === undefined ? 'accepted' : [`/notification_email ${code}`]);
  });
});
