import { describe, expect, it } from 'vitest';
import type { ExportJob } from '../../shared/exports/model/items.ts';
import { mailOf, type NoticeFacts } from '../../shared/exports/delivery/mail-message.ts';

const LOCATION = 'https://api.example.org/downloads/capability/5-6.csv';

const file = {
  key: 'k',
  etag: 'e',
  name: '5-6.csv',
  rows: 1_410,
  bytes: 38_200,
  sha256: 'abc',
  encrypted: false,
  manifest_key: 'm',
  expires: Date.parse('2026-06-09T00:00:00Z'),
};
const complete: ExportJob = {
  property: 7,
  export: 5,
  job: 6,
  run: 1,
  status: 'complete',
  created: Date.parse('2026-06-01T00:00:00Z'),
  started: Date.parse('2026-06-01T01:00:00Z'),
  finished: Date.parse('2026-06-02T00:00:00Z'),
  plan: null,
  skipped: 0,
  file,
  error: null,
};
const failed: ExportJob = {
  ...complete,
  status: 'failed',
  file: null,
  error: { code: 'timed_out', detail: 'Rows & <parts> took too long.' },
};

const definition: NoticeFacts['definition'] = {
  name: 'Jazz weekly',
  schedule: null,
  scope: 'full',
  consent: null,
};
const UNSUBSCRIBE = 'https://api.example.org/confirmations/7.sealed';
const sender = {
  house: 'Harbour Hall',
  unsubscribe: UNSUBSCRIBE,
  consoleUrl: 'https://api.example.org/console',
};
const notice = { ...sender, definition, location: LOCATION, object: null };
const mail = (job: ExportJob, changed: Partial<NoticeFacts> = {}) =>
  mailOf(job, 'ada@example.org', { ...notice, ...changed });

describe('the mail of a complete job', () => {
  it('has the link first, then facts for people, and ids below them', () => {
    const { to, subject, text } = mail(complete);
    expect({ to, subject }).toEqual({ to: 'ada@example.org', subject: '“Jazz weekly”: 1,410 people' });
    expect(text.split('\r\n')).toEqual([
      '“Jazz weekly” is ready',
      '',
      'The file has 1,410 people.',
      '',
      'Download Jazz weekly-2026-06-01.csv:',
      LOCATION,
      '',
      'The link works until 9 Jun 2026, 00:00 (UTC). It opens without signing in, so do not pass it on.',
      '',
      'Finished: 2 Jun 2026, 00:00 (UTC)',
      'Size: 38 KB',
      '',
      'For engineers',
      'Export: 5',
      'Job: 6',
      'File: 5-6.csv',
      'SHA-256: abc',
      '',
      'You get this mail because the owner of this address allowed Harbour Hall to send it.',
      '',
      'Unsubscribe from these mails:',
      UNSUBSCRIBE,
      '',
    ]);
  });

  it('has the same in HTML, in tables, with nothing to load and nothing to run', () => {
    const { html } = mail(complete);
    expect(html).toContain(`href="${LOCATION}"`);
    for (const text of ['Harbour Hall', '“Jazz weekly” is ready', '1,410 people', '38 KB', 'abc'])
      expect(html).toContain(text);
    expect(html).not.toMatch(/<(script|img|link|div)|url\(|@import/);
    expect(html.match(/<table role="presentation"/g)?.length).toBeGreaterThan(3);
  });

  it('has the times of the zone of its schedule', () => {
    const schedule = { hour: '6', timezone: 'Europe/Berlin' };
    const { text } = mail(complete, { definition: { ...definition, schedule } });
    expect(text).toContain('Finished: 2 Jun 2026, 02:00 (Europe/Berlin)');
  });

  it('counts rows of a delta, because some are of people who left', () => {
    expect(mail(complete, { definition: { ...definition, scope: 'delta' } }).subject).toBe(
      '“Jazz weekly”: 1,410 rows',
    );
  });

  it('counts one person', () => {
    expect(mail({ ...complete, file: { ...file, rows: 1 } }).subject).toBe('“Jazz weekly”: 1 person');
  });

  it('says how an encrypted file is encrypted, and whose consent it needs', () => {
    const consent = { channel: 'email', state: 'given' } as const;
    const { text, html } = mail(
      { ...complete, file: { ...file, encrypted: true } },
      { definition: { ...definition, consent } },
    );
    for (const form of [text, html]) expect(form).toContain('The file is encrypted to your PGP key.');
    expect(text).toContain('Consent: email, given');
  });

  it('leads to the console once the file no longer opens, and says where it lies in a bucket', () => {
    const { text, html } = mail(complete, { location: null, object: 's3://theirs/jazz.csv' });
    expect(text).not.toMatch(/Download|The link works/);
    expect(html).toContain(`href="${sender.consoleUrl}#/home"`);
    const elsewhere = mail(complete, { location: null, consoleUrl: undefined });
    expect(elsewhere.html.match(/<a [^>]*href="([^"]*)"/g)).toHaveLength(1);
    expect(elsewhere.html).toContain(`href="${UNSUBSCRIBE}"`);
    expect(text).toContain('In your bucket: s3://theirs/jazz.csv');
  });
});

it('the mail of a failed job has the reason, and its markup is text', () => {
  const { subject, text, html } = mail(failed, { location: null });
  expect(subject).toBe('“Jazz weekly” failed');
  expect(text).toContain('Rows & <parts> took too long.');
  expect(text).toContain('Code: timed_out');
  expect(text).toContain(`See the state of your exports:\r\n${sender.consoleUrl}#/home`);
  expect(html).toContain('Rows &amp; &lt;parts&gt; took too long.');
});

it('an export without a name is your export', () => {
  const { subject, text } = mail(complete, { definition: { ...definition, name: null } });
  expect(subject).toBe('Your export: 1,410 people');
  expect(text).toContain('Download 5-6.csv:');
});

describe('a hostile name', () => {
  const hostile = (name: string, house = 'Harbour Hall') =>
    mail(complete, { house, definition: { ...definition, name } });

  it('is text', () => {
    const { html } = hostile('<img src=x onerror=alert(1)>"\'', '<b>Hall</b>');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;');
    expect(html).toContain('&lt;b&gt;Hall&lt;/b&gt;');
  });

  it.each([
    'Jazz\r\nBcc: eve@example.org',
    'Jazz\nX: y',
    'Jazz\u2028Bcc: x',
    'Jazz\u0000\u001b[2J',
    'Jazz\u0085X',
  ])('begins no other header and no other line: %j', (name) => {
    const { subject, text } = hostile(name);
    expect(subject).toMatch(/^“Jazz [^\p{Cc}\u2028]*”: 1,410 people$/u);
    expect(text.split('\r\n')[0]).toMatch(/^“Jazz .*” is ready$/);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('turns no words around, and hides nothing', () => {
    const { subject, text, html } = hostile('Jazz\u202e\u2067fdp.\u200b\ufeffexe', 'Hall\u202e');
    for (const form of [subject, text, html])
      expect(form).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
  });

  it('is cut where it is long', () => {
    expect(hostile('x'.repeat(500)).subject).toBe(`“${'x'.repeat(80)}…”: 1,410 people`);
  });
});
