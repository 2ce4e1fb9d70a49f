/** People of the tests of the console: one with values of every kind, and one whose values are hostile. And how they are found. */
import type { Shown, WatchedPage } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';

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

/** Opens the screen of people of a service. */
export const openPeople = async (
  service: Service,
  shown: Shown = {},
  credentials?: unknown,
): Promise<WatchedPage> => {
  const opened = await openConsole(service, shown, credentials);
  await opened.page.getByRole('link', { name: 'People', exact: true }).click();
  return opened;
};

/** Looks for a text in the box of the screen. */
export const search = async ({ page }: WatchedPage, text: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'E-mail address' }).fill(text);
  await page.keyboard.press('Enter');
};

/** Looks for a person, and waits for their page. */
export const find = async (opened: WatchedPage, text: string, name: string): Promise<void> => {
  await search(opened, text);
  await opened.page.getByRole('heading', { level: 1, name }).waitFor();
};
