import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import type { WatchedPage } from '../support/browser.ts';
import { openConsole, signIn } from '../support/console.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { chooseFile, press } from './import-cast.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const api = () => service.client.tidemark.forProperty(service.property);

const calls = /\/v[12]\//;

/** From now on the token of the page is worth nothing, as after its time. */
const endToken = async ({ page }: WatchedPage): Promise<void> => {
  await page.route(calls, (route) => {
    const headers = { ...route.request().headers(), authorization: 'Bearer ended' };
    return route.continue({ headers });
  });
};

const ended = (page: Page): Promise<void> =>
  page.getByText('Your session has ended. Sign in again.').waitFor();

/** Signs in again as whoever was here, and waits until the page is back. */
const signInAgain = async (opened: WatchedPage, credentials: unknown): Promise<void> => {
  await ended(opened.page);
  await opened.page.unroute(calls);
  await signIn(opened, credentials);
  await opened.page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
};

describeWith('chromium', 'a session that ends in the middle of work', () => {
  it('keeps the rows that were mended, and sends them after the next sign-in', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'mess.csv', [
      'Kundennr;E-Mail',
      'K-1;ada@example.org',
      'K-2;bob(at)example.org',
    ]);
    await endToken(opened);
    await press(opened, 'Try every row');
    await signInAgain(opened, service.cloud.endpoints);
    await press(opened, 'Try every row');
    await press(opened, 'Import 1 row');
    await page.getByRole('heading', { name: '1 row of mess.csv waits for you' }).waitFor();
    await page.getByLabel('E-Mail in line 3', { exact: true }).fill('bob@example.org');
    await endToken(opened);
    await page.getByRole('button', { name: 'Send 1 mended row' }).first().click();
    await ended(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('alert').count()).toBe(0);
    await signInAgain(opened, service.cloud.endpoints);
    await page.getByRole('alert').filter({ hasText: 'Your session had ended. Do it again.' }).waitFor();
    expect(await page.getByLabel('E-Mail in line 3', { exact: true }).inputValue()).toBe('bob@example.org');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Send 1 mended row' }).first().click();
    await page.getByRole('heading', { name: 'Complete: every row is stored' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is noticed by the next poll of a job, which goes on afterwards', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const body = definitionOf([fieldMap('email', 'Mail')], { name: 'batches' });
    const { id: import_id } = await api().createImport({ body });
    const { id: job_id } = await api().createImportJob({ path: { import_id }, body: { name: 'by hand' } });
    await page.clock.install();
    await page.goto(`/console#/import/${import_id}/${job_id}`);
    await page.getByText('Waits for records').waitFor();
    await endToken(opened);
    await page.clock.fastForward(15_000);
    await signInAgain(opened, service.cloud.endpoints);
    await api().cancelImportJob({ path: { import_id, job_id } });
    await page.clock.fastForward(15_000);
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
  });

  it('keeps the rules of a segment for their reader, and for nobody else', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await api().createProfile({
      body: { email: 'jo@example.org', tags: [{ tag: ['Jazz'], datetime: '2026-11-02T09:00:00Z' }] },
    });
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: value').fill('Jazz');
    // The service still looks for the tag, which the page did not know.
    await page.getByLabel('Name', { exact: true }).fill('Friends of jazz');
    await page.getByText('exact, as of').waitFor();
    await endToken(opened);
    await page.getByText('Save segment').dispatchEvent('click');
    await signInAgain(opened, service.cloud.endpoints);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Friends of jazz');
    expect(await page.getByLabel('Rule 1: value').inputValue()).toBe('Jazz');
    await page.getByText('exact, as of').waitFor();
    await endToken(opened);
    await page.getByText('Save segment').dispatchEvent('click');
    await ended(page);
    await page.unroute(calls);
    await page.reload();
    await signIn(opened, service.cloud.endpoints);
    await page.getByText('These are the rules that you have not saved yet.').waitFor();
    await page.getByText('exact, as of').waitFor();
    await endToken(opened);
    await page.getByText('Save segment').dispatchEvent('click');
    await signInAgain(opened, service.cloud.endpoints.other);
    await expect.poll(() => page.url()).toMatch(/#\/$/);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Friends of jazz');
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: value').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  });

  it('keeps what was typed in the search for its reader, and for nobody else', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const search = page.getByRole('search').getByRole('searchbox');
    await search.fill('Theda');
    await endToken(opened);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await signInAgain(opened, service.cloud.endpoints);
    expect(await search.inputValue()).toBe('Theda');
    await endToken(opened);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await signInAgain(opened, service.cloud.endpoints.other);
    expect(await search.inputValue()).toBe('');
  });

  it('keeps its drafts when somebody signs in who has no property', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: value').fill('Jazz');
    await page.getByLabel('Name', { exact: true }).fill('Friends of jazz');
    await page.getByText('exact, as of').waitFor();
    await endToken(opened);
    await page.getByText('Save segment').dispatchEvent('click');
    await ended(page);
    await page.unroute(calls);
    await page.route('**/v1/me', async (route) => {
      const answer = await route.fetch();
      const caller = v.parse(v.looseObject({}), await answer.json());
      await route.fulfill({ response: answer, json: { ...caller, properties: [] } });
    });
    await signIn(opened, service.cloud.endpoints.other);
    await page.getByText('This account has no property yet.').waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Friends of jazz');
    await page.unroute('**/v1/me');
    await signIn(opened, service.cloud.endpoints);
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Friends of jazz');
  });
});
