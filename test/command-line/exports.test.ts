import { describe, expect, it } from 'vitest';
import { destinationOf, statusOf } from '../../client/cli/exports/describe.ts';
import { deliveryLines } from '../../client/cli/exports/run.ts';
import { sendsAllUnsaid } from '../../client/cli/exports/settings.ts';
import {
  exportOptionAt,
  nextRunText,
  readColumns,
  readKinds,
  readSchedule,
  readSftp,
  scheduleText,
} from '../../client/cli/exports/options.ts';

describe('the server of an export', () => {
  it.each([
    ['hall@sftp.example.org', { user: 'hall', domain: 'sftp.example.org' }],
    ['hall@sftp.example.org:2222', { user: 'hall', domain: 'sftp.example.org:2222' }],
    ['hall@sftp.example.org:/in', { user: 'hall', domain: 'sftp.example.org', directory: '/in' }],
    ['hall@sftp.example.org:in/a', { user: 'hall', domain: 'sftp.example.org', directory: 'in/a' }],
    ['hall@127.0.0.1:2222:/in', { user: 'hall', domain: '127.0.0.1:2222', directory: '/in' }],
    [
      'ann@example.org@sftp.example.org:/in',
      { user: 'ann@example.org', domain: 'sftp.example.org', directory: '/in' },
    ],
    ['PARTNER\\ann@sftp.example.org:22', { user: 'PARTNER\\ann', domain: 'sftp.example.org:22' }],
    ['ann lee@sftp.example.org', { user: 'ann lee', domain: 'sftp.example.org' }],
    [
      'hall@sftp.example.org:/in@hall/my files',
      { user: 'hall', domain: 'sftp.example.org', directory: '/in@hall/my files' },
    ],
    ['hall@[2001:db8::1]:22:/in', { user: 'hall', domain: '[2001:db8::1]:22', directory: '/in' }],
  ])('%s', (text, value) => {
    expect(readSftp(text)).toEqual({ ok: true, value });
  });

  it.each(['sftp.example.org', 'hall@', '@host', 'hall@ho st', 'hall@host@'])('is not %j', (text) => {
    expect(readSftp(text)).toMatchObject({ ok: false });
  });

  it.each([
    ['sftp://root@sftp.example.org/in', 'Write user@host:port:/directory, without sftp://.'],
    ['scp://root@sftp.example.org', 'Write user@host:port:/directory, without scp://.'],
  ])('%s has another form', (text, error) => {
    expect(readSftp(text)).toEqual({ ok: false, error });
  });
});

describe('the schedule of an export', () => {
  it.each([
    ['hour', { minute: '0' }],
    ['day 03:00', { hour: '3', minute: '0' }],
    ['mon 03:05 Europe/Berlin', { hour: '3', minute: '5', day_of_week: 'mon', timezone: 'Europe/Berlin' }],
    ['Mon-Fri 6:30', { hour: '6', minute: '30', day_of_week: 'mon-fri' }],
    ['mon,thu 23:59 UTC', { hour: '23', minute: '59', day_of_week: 'mon,thu', timezone: 'UTC' }],
    ['month 04:00', { hour: '4', minute: '0', day_of_month: '1' }],
    ['5m', { minute: '*/5' }],
    ['30m Europe/Berlin', { minute: '*/30', timezone: 'Europe/Berlin' }],
  ])('%s', (text, value) => {
    expect(readSchedule(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    'day',
    'mon',
    'day 24:00',
    'day 3',
    'monday 03:00',
    'day 03:00 UTC now',
    'hour 03:00',
    '7m',
    '0m',
    '60m',
    '5m 03:00',
    '5',
  ])('is not %j', (text) => {
    expect(readSchedule(text)).toMatchObject({ ok: false });
  });

  it('is shown in the same words', () => {
    expect([
      scheduleText({ hour: '3', minute: '5', day_of_week: 'mon', timezone: 'Europe/Berlin' }),
      scheduleText({ hour: '3', minute: '0' }),
      scheduleText({ hour: '4', minute: '0', day_of_month: '1' }),
      scheduleText({ minute: '*/15', once: true }),
      scheduleText({ minute: '0' }),
      scheduleText({ minute: '*/5', timezone: 'Europe/Berlin' }),
      scheduleText({ minute: '30' }),
    ]).toEqual([
      'mon 03:05 Europe/Berlin',
      'day 03:00 UTC',
      'month 04:00 UTC',
      'cron */15 * * * * UTC, once',
      'hour UTC',
      '5m Europe/Berlin',
      'cron 30 * * * * UTC',
    ]);
  });

  it.each([
    [{ hour: '6' }, 'day 06:00 UTC'],
    [{ day_of_week: 'mon' }, 'mon 00:00 UTC'],
    [{ day_of_month: '1' }, 'month 00:00 UTC'],
    [{ month: '6' }, 'cron 0 0 1 6 * UTC'],
    [{ minute: '*/5', day_of_week: 'mon' }, 'cron */5 * * * mon UTC'],
  ])('without finer fields is at their first number: %j', (schedule, text) => {
    expect(scheduleText(schedule)).toBe(text);
  });
});

describe('the receivers of an export', () => {
  const nobody = {
    ...{ destination_credentials: null, s3_destination: null, notification_email: null, webhook_url: null },
    changes: null,
  };

  it('are all named', () => {
    expect(destinationOf(nobody)).toBe('download');
    const told = { notification_email: 'bo@example.net', webhook_url: 'https://crm.example.net/hooks' };
    expect(destinationOf({ ...nobody, ...told })).toBe(
      'mail to bo@example.net, webhook https://crm.example.net/hooks',
    );
  });

  it.each(['sftp', 'pgp', 'changes', 'email', 'webhook'])(
    'by --%s get the columns that somebody chose',
    (option) => {
      const options = { segment: ['Jazz'], [option]: 'x' };
      expect([sendsAllUnsaid(options), sendsAllUnsaid({ ...options, columns: 'all' })]).toEqual([
        true,
        false,
      ]);
      expect(sendsAllUnsaid({ segment: ['Jazz'] })).toBe(false);
    },
  );
});

describe('a delivery of a file with a person who was forgotten', () => {
  it('is told in one sentence', () => {
    const delivery = {
      ...({ id: '7-sftp', kind: 'sftp', state: 'exhausted' } as const),
      ...{ attempts: 1, replays: 0, part: null, sent: null },
      ...{ last_attempt: null, next_attempt: null, delivered: null },
      last_error: 'members_forgotten: a person in the file was forgotten; run the export again',
    };
    expect(deliveryLines({ export: '12', deliveries: [delivery] })).toEqual([
      '✗ sftp: A person in the file was forgotten, so nobody gets it. Run the export again: tidemark export run 12',
    ]);
  });
});

describe('the next run of an export', () => {
  it('is shown by the clock of its zone', () => {
    const next = '2026-12-07T02:00:00.000Z';
    expect([
      nextRunText({ hour: '3', minute: '0', timezone: 'Europe/Berlin' }, next),
      nextRunText({ hour: '2', minute: '0' }, next),
      nextRunText({ hour: '2', minute: '0', timezone: 'Mars/Olympus' }, next),
      nextRunText(null, null),
    ]).toEqual([
      '2026-12-07 03:00:00 Europe/Berlin',
      '2026-12-07 02:00:00 UTC',
      '2026-12-07 02:00:00 UTC',
      '–',
    ]);
  });

  it('keeps an export from looking finished', () => {
    const next = '2026-12-07T02:00:00.000Z';
    expect([
      statusOf({ status: 'complete', next_run: next }),
      statusOf({ status: 'failed', next_run: next }),
      statusOf({ status: 'running', next_run: next }),
      statusOf({ status: 'scheduled', next_run: next }),
      statusOf({ status: 'complete', next_run: null }),
      statusOf({ status: 'scheduled', next_run: null }),
    ]).toEqual([
      'scheduled (last run complete)',
      'scheduled (last run failed)',
      'running',
      'scheduled',
      'complete',
      'never run',
    ]);
  });
});

describe('what the calls of an export tell', () => {
  it('is named by kinds, in any order', () => {
    expect(readKinds('removed, added')).toEqual({ ok: true, value: ['added', 'removed'] });
    expect(readKinds('added,addd')).toEqual({
      ok: false,
      error: 'Write --kinds as some of added,removed,changed, not "added,addd".',
    });
    expect(readKinds('')).toMatchObject({ ok: false });
  });
});

describe('the columns of an export', () => {
  it('are fields, with another name in the header if wanted', () => {
    expect(readColumns('email, first_name=Vorname,extra_data.a=b=c')).toEqual({
      ok: true,
      value: [
        { umbel_field_name: 'email', destination_field_name: 'email' },
        { umbel_field_name: 'first_name', destination_field_name: 'Vorname' },
        { umbel_field_name: 'extra_data.a', destination_field_name: 'b=c' },
      ],
    });
    expect(readColumns('email,,city')).toMatchObject({ ok: false });
  });
});

describe('a fault of an export', () => {
  it('is named by the option of its place, with the words of the user', () => {
    const optionAt = exportOptionAt({ columns: 'email,city=Ort, bogus', pgp: 'key.asc', sftp: 'hall@host' });
    expect(
      [
        '/custom_result_format/2/umbel_field_name',
        '/custom_result_format',
        '/pgp_public_key',
        '/destination_credentials/domain',
        '/schedule/hour',
        '/pgp_public_keys',
      ].map(optionAt),
    ).toEqual([
      '--columns "bogus"',
      '--columns "email,city=Ort, bogus"',
      '--pgp "key.asc"',
      '--sftp "hall@host"',
      undefined,
      undefined,
    ]);
  });
});
