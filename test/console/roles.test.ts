import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openPage, type WatchedPage } from '../support/browser.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
/** An import with a refused row. */
let job = '';
shared.beforeAll(async ({ service: own }) => {
  service = own;
  const api = service.client.tidemark.forProperty(service.property);
  const { id: importId } = await api.createImport({ body: definitionOf([fieldMap('email', 'Mail')]) });
  const file = new Blob(['Mail\nada@example.org\nbob\n']);
  const { jobId } = await api.uploadFile({ importId, file, fileName: 'two.csv' });
  await api.waitForImport({ importId, jobId });
  job = `import/${importId}/${jobId}`;
});

/** Opens the console with a token that may do this and no more. */
const openAs = async (scope: string): Promise<WatchedPage> => {
  const { client_id, username, password } = service.cloud.endpoints;
  const answer = await service.call('POST', '/oauth/token', {
    as: 'nobody',
    body: JSON.stringify({ grant_type: 'password', client_id, username, password, scope }),
  });
  const { access_token } = v.parse(v.object({ access_token: v.string() }), JSON.parse(answer.text));
  const opened = await openPage(service.cloud.endpoints.base_url);
  await opened.page.goto('/console');
  await opened.page.evaluate((token) => sessionStorage.setItem('tidemark.token', token), access_token);
  await opened.page.reload();
  await opened.page.locator('main h1').waitFor();
  return opened;
};

/** Goes to a place, and waits until it has a title and loads nothing more. */
const goTo = async ({ page }: WatchedPage, place: string): Promise<string> => {
  await page.goto(`/console#/${place}`);
  await page.locator('main h1').waitFor();
  await page.locator('progress.loading').first().waitFor({ state: 'detached' });
  return page.locator('main').innerText();
};

const tabs = ({ page }: WatchedPage): Promise<readonly string[]> =>
  page.getByRole('navigation').getByRole('link').allInnerTexts();

const NOT_SEEN = 'Your role may not see this page.';

describeWith('chromium', 'the console of a token that may do little', () => {
  it('says so on each screen where it may see nothing', async () => {
    await using opened = await openAs('account.read');
    for (const place of ['home', 'import', job, 'people', 'segments', 'segments/new'])
      expect(await goTo(opened, place)).toContain(NOT_SEEN);
    expect(await tabs(opened)).toEqual([]);
    expect(await opened.barriers()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('finds people where it sees nothing else', async () => {
    await using opened = await openAs('people.read');
    expect(await goTo(opened, 'home')).toContain(NOT_SEEN);
    expect(await tabs(opened)).toEqual(['People']);
    await goTo(opened, 'people');
    await opened.page.getByRole('main').getByRole('searchbox').fill('ada@example.org');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'People' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('imports, without what it may not see or do', async () => {
    await using opened = await openAs('definitions.read people.write');
    const { page } = opened;
    expect(await tabs(opened)).toEqual(['Home', 'Import', 'Segments']);
    await goTo(opened, job);
    await page.getByRole('region', { name: 'Refused rows' }).getByText('Not an e-mail address').waitFor();
    expect(await page.locator('[aria-current=step]').innerText()).toContain('Mend');
    expect(await page.locator('main button').allInnerTexts()).toEqual([]);
    await goTo(opened, 'segments/new');
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save segment' }).count()).toBe(0);
    expect(await goTo(opened, 'people')).toContain(NOT_SEEN);
    expect(opened.complaints).toEqual([]);
  });
});
