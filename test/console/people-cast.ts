/** People of the tests of the console: one with values of every kind, and one whose values are hostile. */

export const theda = {
  email: 'theda@example.org',
  unique_id: 'K-04417',
  first_name: 'Theda',
  last_name: 'Möhlenkamp',
  city: 'Köln',
  country: 'DE',
  birthday: '1971-03-14',
  phone_number: '+492214710118',
  tags: [{ datetime: '2026-03-03 10:12:00', tag: ['Jazz', 'Abo'] }],
  extra_data: { 'Last visit': '2025-02-14', Revenue: 2472.84, 'Old postcode': '04417' },
  consent: [
    { channel: 'email', state: 'given', datetime: '2025-09-12T09:00:00Z', source: 'Newsletter form' },
    { channel: 'post', state: 'withdrawn', datetime: '2026-01-08T09:00:00Z' },
  ],
} as const;

export const hostile = {
  unique_id: '"><img src=x onerror=alert(1)>',
  first_name: '\u202Egnp.exe <b>Bold</b>',
  last_name: 'x'.repeat(1_000),
  tags: [{ datetime: '2026-03-03 10:12:00', tag: ['<script>alert(1)</script>', 'T'.repeat(1_000)] }],
  extra_data: { '<i>key</i>': "<a href='javascript:alert(1)'>v</a>" },
};

/** A person of whom the service knows more than one answer may have. */
export const large = {
  ...theda,
  email: 'large@example.org',
  unique_id: 'K-large',
  phone_number: '+4922100002',
  extra_data: { Notes: '"'.repeat(150_000) },
};
