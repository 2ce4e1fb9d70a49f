import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openPage, type WatchedPage } from '../support/browser.ts';
import { openConsole, signIn } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

const caller = v.object({ token: v.object({ id: v.string() }) });

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

describeWith('chromium', 'a session of the console', () => {
  const base = (): string => service.cloud.endpoints.base_url;

  /** The token of the page, and its id in the service. */
  const tokenOf = async ({ page }: WatchedPage): Promise<{ readonly token: string; readonly id: string }> => {
    const token = (await page.evaluate(() => sessionStorage.getItem('tidemark.token'))) ?? '';
    const headers = { authorization: `Bearer ${token}` };
    const { id } = v.parse(caller, await (await fetch(`${base()}/v1/me`, { headers })).json()).token;
    return { token, id };
  };

  /** The tokens of the account of the test, as the service lists them. */
  const tokens = async (): Promise<string> => (await service.call('GET', '/v1/me/tokens')).text;

  it('begins with a sign-in, outlives a reload of the tab, and its token is in no address', async () => {
    await using opened = await openConsole(service);
    const { page, called, complaints } = opened;
    const token = await page.evaluate(() => sessionStorage.getItem('tidemark.token'));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(token).toMatch(/^\S{20,}$/);
    for (const address of [...called, page.url()]) expect(address).not.toContain(token ?? '-');
    expect(complaints).toEqual([]);
    for (const address of called) expect(address).toContain(base());
  });

  it('ends with a sign-out, in the service too', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const { token, id } = await tokenOf(opened);
    await page.getByRole('button', { name: 'Demo' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(tokens).not.toContain(id);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(token);
  });

  it('ends in the service when another user signs in, because it could not be resumed', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const { id } = await tokenOf(opened);
    await page.route('**/v1/me', (route) => route.abort());
    await page.reload();
    await page.getByText('The service did not answer. Check your connection.').waitFor();
    await page.unroute('**/v1/me');
    expect(await tokens()).toContain(id);
    await signIn(opened, service.cloud.endpoints.other);
    await expect.poll(tokens).not.toContain(id);
  });

  it('ends when the service refuses its token, and says so', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.evaluate(() => sessionStorage.setItem('tidemark.token', 'ended'));
    await page.reload();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(opened, service.cloud.endpoints);
  });

  it('does not begin with a wrong password, and says so in the words of the API', async () => {
    await using opened = await openPage(base());
    const { page } = opened;
    await page.goto('/console');
    await page.getByLabel('User name').fill('nobody');
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('Client id').fill('none');
    await page.getByLabel('Client id').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Client id, user name or password is wrong.' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
  });

  it('goes on by itself once a service that did not answer is there again', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const lists = /\/(?:segment-sizes|segments)\b/;
    await page.route(lists, (route) => route.abort());
    await page.getByRole('link', { name: 'Segments', exact: true }).click();
    await page.getByText('The service did not answer. Check your connection.').first().waitFor();
    await page.unroute(lists);
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  });

  it('speaks German to a German reader', async () => {
    await using opened = await openPage(base(), { language: 'de-DE' });
    await opened.page.goto('/console');
    await opened.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await opened.page.locator('html').getAttribute('lang')).toBe('de');
  });

  it('speaks another language when the reader chooses it, and English when its texts do not come', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.getByRole('button', { name: 'Demo' }).click();
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('link', { name: 'Übersicht' }).waitFor();
    await page.route('**/console/de.*.js', (route) => route.abort());
    await page.reload();
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
});
