import { expect, it } from 'vitest';
import type { ExportJob } from '../../shared/exports/model/items.ts';
import { mailOf } from '../../shared/exports/delivery/mail-message.ts';

const LOCATION = 'https://api.example.org/downloads/capability/5-6.csv';

const file = {
  key: 'k',
  etag: 'e',
  name: '5-6.csv',
  rows: 3,
  bytes: 120,
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

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\r\n`).join('');
const page = (subject: string, facts: readonly (readonly [string, string])[], rest: string): string => {
  const rows = facts.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('');
  return `<!doctype html><html lang="en"><body><p>${subject}.</p><table>${rows}</table>${rest}</body></html>`;
};

const facts = [
  ['Export', '5'],
  ['Job', '6'],
  ['Finished', '2026-06-02T00:00:00.000Z'],
  ['File', '5-6.csv'],
  ['Rows', '3'],
  ['Bytes', '120'],
  ['SHA-256', 'abc'],
] as const;
const factLines = facts.map(([name, value]) => `${name}: ${value}`);
const hint = 'Everyone who has this address can fetch the file until 2026-06-09T00:00:00.000Z.';

it('the mail of a complete job has the facts of its file, the location, and how long it opens', () => {
  const subject = 'Export 5 is ready';
  expect(mailOf(complete, 'ada@example.org', { name: null, location: LOCATION, object: null })).toEqual({
    to: 'ada@example.org',
    subject,
    text: lines(`${subject}.`, '', ...factLines, '', LOCATION, '', hint),
    html: page(subject, facts, `<p><a href="${LOCATION}">${LOCATION}</a></p><p>${hint}</p>`),
  });
});

it('the mail of an encrypted file says how it is encrypted', () => {
  const { text, html } = mailOf({ ...complete, file: { ...file, encrypted: true } }, 'a@example.org', {
    name: null,
    location: LOCATION,
    object: null,
  });
  expect(text).toContain(`\r\n${hint} It is encrypted to your PGP key.\r\n`);
  expect(html).toContain(`<p>${hint} It is encrypted to your PGP key.</p>`);
});

it('the mail of a job whose location no longer opens has the facts of its file only', () => {
  const subject = 'Export 5 is ready';
  expect(mailOf(complete, 'ada@example.org', { name: null, location: null, object: null })).toEqual({
    to: 'ada@example.org',
    subject,
    text: lines(`${subject}.`, '', ...factLines),
    html: page(subject, facts, '<p></p>'),
  });
});

it('the mail of a failed job has the reason, and its markup is text', () => {
  const subject = 'Export 5 failed';
  expect(mailOf(failed, 'ada@example.org', { name: null, location: null, object: null })).toEqual({
    to: 'ada@example.org',
    subject,
    text: lines(
      `${subject}.`,
      '',
      ...factLines.slice(0, 3),
      'Reason: Rows & <parts> took too long. (timed_out)',
    ),
    html: page(
      subject,
      [...facts.slice(0, 3), ['Reason', 'Rows &amp; &lt;parts&gt; took too long. (timed_out)']],
      '<p></p>',
    ),
  });
});

it('the mail of an export with a name says the name and the id, as text', () => {
  const { subject, html } = mailOf(complete, 'a@example.org', {
    name: 'Jazz <weekly>',
    location: null,
    object: null,
  });
  expect(subject).toBe('Export "Jazz <weekly>" (5) is ready');
  expect(html).toContain('<p>Export &quot;Jazz &lt;weekly&gt;&quot; (5) is ready.</p>');
});
