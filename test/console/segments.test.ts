import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { keys } from '../../shared/table/keys.ts';
import { identified } from '../support/api-client.ts';
import { forms, openPage, type WatchedPage } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { changeItem } from '../support/items.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

const hostile = `<img src=x onerror=alert(1)> שלום ${'x'.repeat(180)}`;

const datetime = '2026-01-01T00:00:00Z';
const said = (state: string) => [{ channel: 'email', state, datetime }];
const tagged = (tag: readonly string[]) => [{ tag, datetime }];

/** Six people in Jazz: three of them are younger than 65, two of these have given consent. */
const people = [
  { email: 'ada@example.org', first_name: 'Ada', birthday: '1990-01-01', consent: said('given') },
  { email: 'bea@example.org', first_name: 'Bea', birthday: '1991-01-01', consent: said('given') },
  { email: 'cyd@example.org', first_name: 'Cyd', birthday: '1992-01-01', consent: said('withdrawn') },
  { email: 'dan@example.org', first_name: 'Dan', birthday: '1930-01-01', consent: said('given') },
  { email: 'eve@example.org', first_name: 'Eve', birthday: '1931-01-01' },
  { unique_id: 'F-1', first_name: hostile, birthday: '1932-01-01' },
];

const MANY = 2_100;
const TAGS_OF_A_RECORD = 350;

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  const path = `/v1/${own.property}/profiles`;
  for (const person of people)
    await own.client.post(path, { ...person, tags: tagged(['Jazz', hostile]) }, v.unknown());
  for (let from = 0; from < MANY; from += TAGS_OF_A_RECORD) {
    const tags = Array.from({ length: TAGS_OF_A_RECORD }, (_, index) => `Series ${from + index}`);
    await own.client.post(path, { email: `many${from}@example.org`, tags: tagged(tags) }, v.unknown());
  }
  expect((await own.cloud.invoke('measureSizes', {})).ok).toBe(true);
});

/** The id of the segment of a tag. */
const segmentOf = async (name: string): Promise<number> => {
  const path = `/v1/${service.property}/segments?type=tag&name=${name}`;
  const [found] = await service.client.get(path, v.array(identified));
  return found?.id ?? 0;
};

/** Opens the segment of a name from the list. */
const openSegment = async ({ page }: WatchedPage, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Segments', exact: true }).first().click();
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** The rows of a CSV file that the page downloads when `press` has been pressed. */
const downloaded = async (
  { page }: WatchedPage,
  press: string,
): Promise<readonly Record<string, string>[]> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: press }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  return Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;
};

describeWith('chromium', 'the segments of the console', () => {
  it('are filtered by name and type, with few rows in the page', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.getByRole('link', { name: 'Segments', exact: true }).first().click();
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('jazz');
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => rows.first().innerText()).toMatch(/Jazz\s+Tag\s+6/);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('series');
    await page
      .getByRole('status')
      .getByText(/^50 of 1,9\d\d$/)
      .waitFor();
    await page.getByRole('button', { name: 'Show 50 more' }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Consent');
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('');
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(2);
    expect(opened.complaints).toEqual([]);
  });

  it('show their people, and hostile names are text', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, hostile);
    expect(await page.locator('h1 bdi').innerText()).toBe(hostile);
    await page.getByRole('link', { name: 'see them' }).click();
    await page.getByRole('link', { name: hostile }).nth(1).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(6);
    expect(await page.locator('img').count()).toBe(0);
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Customer id' }).check();
    await page.getByRole('cell', { name: 'F-1' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('are downloaded as files, with consent or without', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    await page.getByRole('button', { name: 'Download' }).click();
    const all = await downloaded(opened, 'Download 6 people');
    expect(all.map((row) => row['E-mail address']).filter(Boolean)).toHaveLength(5);
    expect(all).toHaveLength(6);
    await page.getByText('6 rows').waitFor();
    await page.getByRole('contentinfo').or(page.locator('dialog footer')).getByText('Close').click();
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('combobox', { name: 'Only people with consent' }).selectOption('E-mail: 3 people');
    const given = await downloaded(opened, 'Download 3 people');
    expect(given.map((row) => row['First name']).sort()).toEqual(['Ada', 'Bea', 'Dan']);
    expect(opened.complaints).toEqual([]);
  });

  it('are built from rules with a live count, and downloaded with consent', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.getByRole('link', { name: 'Segments', exact: true }).first().click();
    await page.getByRole('link', { name: 'New segment' }).click();
    await page.getByLabel('Rule 1: value').fill('jazz');
    await page.getByLabel('Rule 1: value').blur();
    const size = page.getByRole('region', { name: 'People in it' });
    await size.getByText('6', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByLabel('How many must hold in group 2').selectOption('None');
    await page.getByLabel('Rule 2.1: what').selectOption('Age, gender or family');
    await page.getByLabel('Rule 2.1: value').selectOption('Age: 65+: 3');
    await size.getByText('exact, as of').waitFor();
    await expect.poll(() => size.innerText()).toMatch(/People in it\s+3\s+exact/);
    await expect.poll(() => size.innerText()).toMatch(/With consent: E-mail\s+67 %\s+2/);
    await page.getByRole('link', { name: 'Cyd' }).waitFor();
    await page.getByLabel('Name').fill('Jazz, under 65');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jazz, under 65' }).waitFor();
    await page.getByText('This does not hold:').waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('combobox', { name: 'Only people with consent' }).selectOption('E-mail: 2 people');
    const rows = await downloaded(opened, 'Download 2 people');
    expect(rows.map((row) => row['First name']).sort()).toEqual(['Ada', 'Bea']);
    expect(opened.complaints).toEqual([]);
  });

  it('have conditions on fields, estimated before they exist and refused in words', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: value').fill('nobody has this');
    await page.getByLabel('Rule 1: value').blur();
    await page.getByText('No segment has this name.').waitFor();
    await page.getByLabel('Rule 1: what').selectOption('Age');
    await page.getByLabel('Rule 1: value').fill('65');
    await page.getByRole('region', { name: 'Rules' }).getByText('3 people').waitFor();
    await page.getByLabel('Rule 1: what').selectOption('Another column');
    await page.getByLabel('Rule 1: name').fill('spend');
    await page.getByLabel('Rule 1: how').selectOption('is at least');
    await page.getByLabel('Rule 1: value').fill('500');
    await page.getByText('Nobody has a value of spend.').waitFor();
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    expect(await page.getByRole('button', { name: 'Save segment' }).isDisabled()).toBe(true);
    expect(opened.complaints).toEqual([]);
  });

  it('are sent every week, and the page says when the first list goes out', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    await page.getByRole('button', { name: 'Send every week' }).click();
    await page.getByRole('combobox', { name: 'Only people with consent' }).selectOption('E-mail: 3 people');
    await page
      .getByRole('combobox', { name: 'When, in the zone Europe/Berlin' })
      .selectOption('Every Tuesday at 06:00');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Send every Tuesday' }).click();
    await page.getByText(/^The first list goes out: .*06:00\. Today it would have 3 people\.$/).waitFor();
    const { exports } = await service.client.get(
      `/v1/${service.property}/exports`,
      v.object({
        exports: v.array(v.looseObject({ name: v.nullable(v.string()), next_run: v.nullable(v.string()) })),
      }),
    );
    const weekly = exports.find(({ name }) => name === 'Jazz, every Tuesday');
    expect(weekly).toMatchObject({
      consent: { channel: 'email', state: 'given' },
      schedule: { minute: '0', hour: '6', day_of_week: 'tue', timezone: 'Europe/Berlin' },
      notification_email: service.userEmail,
      location: null,
    });
    expect(new Date(weekly?.next_run ?? 0).getUTCDay()).toBe(2);
    expect(opened.complaints).toEqual([]);
  });

  it('are tracked: a chart, and who came and left, with why', async () => {
    const at = `/v1/${service.property}/profiles`;
    const choir = { tags: tagged(['Choir']) };
    await service.client.post(at, { email: 'stays@example.org', first_name: 'Stays', ...choir }, v.unknown());
    await service.client.post(at, { email: 'goes@example.org', first_name: 'Goes', ...choir }, v.unknown());
    const segment = await segmentOf('Choir');
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto(`/console#/segments/${segment}`);
    await page.getByRole('button', { name: 'Track it every day' }).click();
    await page.getByRole('img', { name: 'Chart of Choir' }).waitFor();
    await page.getByRole('button', { name: 'Add a moment now' }).click();
    await page.getByRole('alert').getByText('moment_too_early').waitFor();
    const [timeline] = await service.client.get(
      `/v2/properties/${service.property}/timelines`,
      v.array(identified),
    );
    const hourAgo = Date.now() - 3_600_000;
    await changeItem(service, keys.timeline(service.property, timeline?.id ?? 0), {
      'latest.created': hourAgo,
    });
    await service.client.post(at, { email: 'comes@example.org', first_name: 'Comes', ...choir }, v.unknown());
    await service.client.post(at, { email: 'goes@example.org', remove_tags: ['Choir'] }, v.unknown());
    await page.getByRole('button', { name: 'Add a moment now' }).click();
    const changes = page.getByRole('region', { name: 'Who came and left' });
    await changes.getByText('1 came, 1 left').waitFor();
    await expect
      .poll(() => changes.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/^Comes\s+Came/), expect.stringMatching(/^Goes\s+Left/)]);
    await changes.getByRole('button', { name: 'Why?' }).nth(1).click();
    await page.getByRole('complementary', { name: 'Why not in this segment?' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    const unwanted = opened.complaints.filter((line) => !line.includes('429'));
    expect(unwanted).toEqual([]);
  });

  it('that are in use are not deleted, and the page says why', async () => {
    const jazz = await segmentOf('Jazz');
    const define = async (name: string, definition: unknown) =>
      (await service.client.post(`/v1/${service.property}/segments`, { name, definition }, identified)).id;
    const inner = await define('Inner', jazz);
    await define('Outer', { not: inner });
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto(`/console#/segments/${inner}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete 1 segment' }).click();
    await page.getByRole('alert').getByText('in_use').waitFor();
  });

  it('offer nothing to a viewer that would fail', async () => {
    const narrow = await service.call('POST', '/oauth/token', {
      as: 'nobody',
      body: JSON.stringify({ grant_type: 'password', ...credentials(service), scope: 'definitions.read' }),
    });
    const { access_token } = v.parse(v.object({ access_token: v.string() }), JSON.parse(narrow.text));
    await using opened = await openPage(service.cloud.endpoints.base_url);
    const { page } = opened;
    await page.goto('/console');
    await page.evaluate((token) => sessionStorage.setItem('tidemark.token', token), access_token);
    await page.reload();
    await openSegment(opened, 'Jazz');
    await page.getByText('exact, as of').waitFor();
    expect(await page.locator('main button, main a.button').allInnerTexts()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('have no barriers in any form', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    const segment = page.url();
    for (const { width, colorScheme } of forms) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto('/console#/segments');
      await page.locator('tbody tr').first().waitFor();
      expect(await opened.barriers()).toEqual([]);
      await page.goto(segment);
      await page.getByText('83 %').waitFor();
      expect(await opened.barriers()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('button', { name: 'Download 6 people' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
  });
});

const account = v.object({ client_id: v.string(), username: v.string(), password: v.string() });

/** What the account of a service signs in with. */
const credentials = ({ cloud }: Service): v.InferOutput<typeof account> => v.parse(account, cloud.endpoints);
