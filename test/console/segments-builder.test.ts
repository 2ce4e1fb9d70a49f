import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { downloaded, openSegment, segmentOf, storePeople } from './segments-cast.ts';

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  await storePeople(own);
});

describeWith('chromium', 'the builder of segments', () => {
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
    await size.getByText('Rule 2.1 has no value yet. It is left out').waitFor();
    expect(await page.getByRole('button', { name: 'Save segment' }).isDisabled()).toBe(true);
    await page.getByLabel('Rule 2.1: what').selectOption('Gender, age band or family');
    await page.getByLabel('Rule 2.1: value').selectOption('Age: 65+: 3');
    await size.getByText('exact, as of').waitFor();
    await expect.poll(() => size.innerText()).toMatch(/People in it\s+3\s+exact/);
    await expect.poll(() => size.innerText()).toMatch(/With address and consent: E-mail\s+67 %\s+2/);
    await page.getByRole('link', { name: 'Cyd' }).waitFor();
    await page.getByLabel('Name').fill('Jazz, under 65');
    await page.reload();
    await page.getByText('These are the rules that you have not saved yet.').waitFor();
    await expect.poll(() => size.innerText()).toMatch(/People in it\s+3\s+exact/);
    expect(await page.getByLabel('Name').inputValue()).toBe('Jazz, under 65');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jazz, under 65' }).waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage).sort())).toEqual([
      'tidemark.property',
      'tidemark.token',
      'tidemark.user',
    ]);
    await page.getByText('This does not hold:').waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const rows = await downloaded(opened, 'Download 2 people');
    expect(rows.map((row) => row['First name']).sort()).toEqual(['Ada', 'Bea']);
    expect(opened.complaints).toEqual([]);
  });

  it('have conditions on fields, estimated before they exist and refused in words', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto('/console#/segments/new');
    await page.getByRole('status').getByText('Rule 1 has no value yet.', { exact: true }).waitFor();
    await page.getByLabel('Rule 1: value').fill('nobody has this');
    await page.getByLabel('Rule 1: value').blur();
    await page.getByText('No segment has this name.').waitFor();
    await page.getByLabel('Rule 1: value').fill('jaz');
    await page.getByLabel('Rule 1: value').blur();
    await page.getByRole('button', { name: 'Jazz: 6' }).click();
    await page
      .getByRole('region', { name: 'People in it' })
      .getByText('6', { exact: true })
      .first()
      .waitFor();
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

  it('opens with the people of a figure, and not over what the reader has begun', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    const segment = page.url();
    const figure = page.locator('dl.figures > div', { hasText: 'With address and consent: E-mail' });
    await figure.getByRole('link', { name: 'see them' }).click();
    const size = page.getByRole('region', { name: 'People in it' });
    await page.getByLabel('Rule 3: value').waitFor();
    expect(await page.getByLabel('Rule 1: value').inputValue()).toBe('Jazz');
    expect(await page.getByLabel('Rule 2: what').inputValue()).toBe('field:email');
    await expect.poll(() => size.innerText()).toMatch(/People in it\s+3\s/);
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('kept');
    await page.getByLabel('Name').fill('Mine');
    await page.goto(segment);
    await page.getByRole('link', { name: 'Age: 65+: 3' }).click();
    await page.getByText('You have rules that are not saved yet.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Discard these rules' }).click();
    await expect
      .poll(() => page.getByLabel('Rule 2: value').locator('option:checked').innerText())
      .toBe('Age: 65+: 3');
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    expect(await page.getByLabel('Rule 3: value').count()).toBe(0);
    await expect.poll(() => size.innerText()).toMatch(/People in it\s+3\s/);
    expect(opened.complaints).toEqual([]);
  });

  it('opens empty, and says so, with a link that names what is not there or too much', async () => {
    const jazz = await segmentOf(service, 'Jazz');
    await using opened = await openConsole(service);
    const { page } = opened;
    const asked: string[] = [];
    await page.route(/\/segments\/\d+$/, (route) => {
      asked.push(route.request().url());
      return route.continue();
    });
    const empty = async (words: readonly (number | string)[]): Promise<void> => {
      await page.goto(`/console#/segments/new/${words.join('/')}`);
      await page.reload();
      await page.getByText('The rules of this link cannot be shown').waitFor();
      expect(await page.getByLabel('Rule 1: value').inputValue()).toBe('');
      expect(await page.getByLabel('Rule 2: value').count()).toBe(0);
    };
    await empty([jazz, 'password']);
    await empty(Array.from({ length: 21 }, (_, index) => jazz + 1_000 + index));
    expect(asked).toEqual([]);
    await empty([jazz, 987]);
    expect([...new Set(asked)]).toEqual([expect.stringMatching(/\/segments\/987$/)]);
    await page.goto(`/console#/segments/new/${jazz}/${jazz}/email`);
    await page.getByLabel('Rule 2: what').waitFor();
    expect(await page.getByLabel('Rule 3: what').count()).toBe(0);
  });

  it('changes nothing while the names of its segments do not come', async () => {
    const jazz = await segmentOf(service, 'Jazz');
    const api = service.client.tidemark.forProperty(service.property);
    // The list of segments has it once it is measured: the builder asks for it.
    const inner = await api.createSegment({ body: { name: 'Not measured', definition: { any: [jazz] } } });
    const definition = { all: [jazz, inner.id] };
    const { id } = await api.createSegment({ body: { name: 'Of two', definition } });
    await using opened = await openConsole(service);
    const { page } = opened;
    const path = new RegExp(`/segments/${inner.id}$`);
    await page.route(path, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { status: 403, code: 'forbidden', title: 'Forbidden', detail: 'Not now.' },
      }),
    );
    await page.goto(`/console#/segments/${id}`);
    await page.getByRole('alert').getByText('Not now.').waitFor();
    await page.goto(`/console#/segments/${id}/edit`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save segment' }).count()).toBe(0);
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByLabel('Rule 2: value').inputValue()).toBe('Not measured');
    expect(await page.getByLabel('Rule 1: value').inputValue()).toBe('Jazz');
  });

  it('are saved once their conditions are ready, wherever the reader is meanwhile', async () => {
    const jazz = await segmentOf(service, 'Jazz');
    await using opened = await openConsole(service);
    const { page } = opened;
    const posted: string[] = [];
    let ready = false;
    // The service takes minutes to prepare a condition.
    await page.route(/\/segments(\/7)?$/, async (route) => {
      const { method, body } = { method: route.request().method(), body: route.request().postData() ?? '' };
      if (method === 'POST') posted.push(body.includes('"where"') ? 'condition' : body);
      const isCondition = method === 'GET' || body.includes('"where"');
      await route.fulfill({ json: isCondition ? { id: 7, ready, progress: 0.5 } : { id: jazz } });
    });
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: value').fill('Jazz');
    await page.getByRole('button', { name: 'Rule', exact: true }).click();
    await page.getByLabel('Rule 2: what').selectOption('Age');
    await page.getByLabel('Rule 2: value').fill('65');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('50 % done').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.getByLabel('Rule 1: value').waitFor({ state: 'detached' });
    await page.goto('/console#/segments/new');
    await page.getByText('50 % done').waitFor();
    expect(posted).toEqual(['condition']);
    await page.reload();
    await page.getByText('50 % done').waitFor();
    expect(posted).toEqual(['condition', 'condition']);
    ready = true;
    await page.getByRole('heading', { level: 1, name: 'Jazz' }).waitFor();
    expect(posted.slice(2)).toEqual([
      JSON.stringify({ name: 'Jazz, Age is under 65', definition: { all: [jazz, 7] } }),
    ]);
    expect(opened.complaints).toEqual([]);
  });
});
