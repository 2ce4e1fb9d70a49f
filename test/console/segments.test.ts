import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { keys } from '../../shared/table/keys.ts';
import { identified } from '../support/api-client.ts';
import { forms, openPage } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { changeItem } from '../support/items.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { hostile, openSegment, segmentOf, storePeople, tagged } from './segments-cast.ts';

const MANY = 150;

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  await storePeople(
    own,
    Array.from({ length: MANY }, (_, index) => `Series ${index}`),
  );
});

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
    await page.getByRole('status').getByText('50 of 150', { exact: true }).waitFor();
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
    await page.getByRole('link', { name: 'see them', exact: true }).click();
    await page.getByRole('link', { name: hostile }).nth(1).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(6);
    expect(await page.locator('img').count()).toBe(0);
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Customer id' }).check();
    await page.getByRole('cell', { name: 'F-1' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('are tracked: a chart, and who came and left, with why', async () => {
    const at = `/v1/${service.property}/profiles`;
    const choir = { tags: tagged(['Choir']) };
    await service.client.post(at, { email: 'stays@example.org', first_name: 'Stays', ...choir }, v.unknown());
    await service.client.post(at, { email: 'goes@example.org', first_name: 'Goes', ...choir }, v.unknown());
    const segment = await segmentOf(service, 'Choir');
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto(`/console#/segments/${segment}`);
    await page.getByRole('button', { name: 'Track it every day' }).click();
    await page.getByText('There is one moment so far.').waitFor();
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
    await page.getByRole('img', { name: 'Chart of Choir' }).waitFor();
    await page.getByText('unchanged since: Today').waitFor();
    await expect
      .poll(() => changes.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/^Comes\s+Came/), expect.stringMatching(/^Goes\s+Left/)]);
    await changes.getByRole('button', { name: 'Why?' }).nth(1).click();
    const why = page.getByRole('complementary', { name: 'Why not in this segment?' });
    await why.getByText('This person was in the segment at one of the two moments.').waitFor();
    expect(await opened.barriers()).toEqual([]);
    const unwanted = opened.complaints.filter((line) => !line.includes('429'));
    expect(unwanted).toEqual([]);
  });

  it('that are in use are not deleted, and the page says why', async () => {
    const jazz = await segmentOf(service, 'Jazz');
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
    await page.getByRole('button', { name: 'Download 4 people' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
  });
});

const account = v.object({ client_id: v.string(), username: v.string(), password: v.string() });

/** What the account of a service signs in with. */
const credentials = ({ cloud }: Service): v.InferOutput<typeof account> => v.parse(account, cloud.endpoints);
