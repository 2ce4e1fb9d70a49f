import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { segmentOf, storePeople } from './segments-cast.ts';

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  await storePeople(own);
});

/** Begins a segment of one tag under a name. */
const build = async (page: Page, name: string): Promise<void> => {
  await page.goto('/console#/segments/new');
  await page.getByLabel('Rule 1: value').fill('Jazz');
  await page.getByLabel('Name').fill(name);
};

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save segment' }).click();

/** What the tab keeps of the builder. */
const keptIn = (page: Page): Promise<unknown> =>
  page.evaluate(
    'Object.keys(sessionStorage).filter((key) => key.startsWith("tidemark.kept.")).map((key) => sessionStorage[key])',
  );

/** Holds the answers to new segments back, until they are let go: as they came, or as a refusal. */
const hold = async (page: Page) => {
  const came: string[] = [];
  const waiting: (() => Promise<void>)[] = [];
  await page.route(/\/segments$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    came.push(route.request().postData() ?? '');
    waiting.push(() =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: { status: 409, code: 'segment_limit', title: 'Conflict', detail: 'There are too many.' },
      }),
    );
    return undefined;
  });
  return { came, refuse: () => Promise.all(waiting.splice(0).map((answer) => answer())) };
};

describeWith('chromium', 'the save of a segment', () => {
  it('makes one segment, though the page goes before the answer and saves again', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const made: number[] = [];
    await page.route(/\/segments$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const answer = await route.fetch();
      made.push(answer.status());
      // The page never hears of the first one.
      return made.length === 1 ? undefined : route.fulfill({ response: answer });
    });
    await build(page, 'Once');
    await save(page);
    await expect.poll(() => made).toEqual([201]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Once' }).waitFor();
    expect(made).toEqual([201, 201]);
    const api = service.client.tidemark.forProperty(service.property);
    expect(await api.findSegments({ query: { type: 'custom', name: 'Once' } })).toHaveLength(1);
    expect(await keptIn(page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('is over when it fails: the reader who comes back is told once, and presses again', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const held = await hold(page);
    await build(page, 'Twice');
    await save(page);
    await expect.poll(() => held.came).toHaveLength(1);
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.getByLabel('Rule 1: value').waitFor({ state: 'detached' });
    await held.refuse();
    await expect.poll(() => keptIn(page)).toEqual([expect.not.stringContaining('"saving"')]);
    await page.goto('/console#/segments/new');
    await page.getByRole('alert').getByText('The segment is not saved.').waitFor();
    await page.reload();
    await page.getByText('These are the rules that you have not saved yet.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Twice');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(held.came).toHaveLength(1);
    await save(page);
    await expect.poll(() => held.came).toHaveLength(2);
    expect(held.came[1]).toBe(held.came[0]);
  });

  it('leaves nothing in the tab when it fails after the reader has signed out', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const held = await hold(page);
    await build(page, 'Gone');
    await save(page);
    await expect.poll(() => held.came).toHaveLength(1);
    await page.locator('[popovertarget=reader]').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name').waitFor();
    await Promise.all([page.waitForResponse((response) => response.status() === 409), held.refuse()]);
    await page.getByLabel('User name').waitFor();
    expect(await keptIn(page)).toEqual([]);
  });

  it('keeps a typed name, though the rule has a condition of another name already', async () => {
    const jazz = await segmentOf(service, 'Jazz');
    await using opened = await openConsole(service);
    const { page } = opened;
    const named: unknown[] = [];
    await page.route(/\/segments(\/7)?$/, async (route) => {
      const sent: unknown = route.request().postDataJSON();
      if (sent !== null) named.push(sent);
      const isCondition = sent === null || JSON.stringify(sent).includes('"where"');
      await route.fulfill({ json: isCondition ? { id: 7, name: 'Under 65', ready: true } : { id: jazz } });
    });
    await page.goto('/console#/segments/new');
    await page.getByLabel('Rule 1: what').selectOption('Age');
    await page.getByLabel('Rule 1: value').fill('65');
    await page.getByLabel('Name').fill('Young');
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Jazz' }).waitFor();
    expect(named.at(0)).toMatchObject({ name: 'Young', where: { field: 'age' } });
    expect(named.at(-1)).toEqual({ name: 'Young', definition: 7 });
  });

  it('of an edited segment shows its conditions as rules, and has nothing to save until one is changed', async () => {
    const jazz = await segmentOf(service, 'Jazz');
    await using opened = await openConsole(service);
    const { page } = opened;
    const where = { field: 'age', op: 'lt', value: 65 };
    const of = (id: number) => ({ id, name: `Named ${id}`, count: 3, as_of: '2026-01-01T00:00:00Z' });
    const segments = {
      7: { ...of(7), type: 'condition', where, ready: true },
      8: { ...of(8), type: 'condition', where: { ...where, value: 64 }, ready: true },
      9: { ...of(9), type: 'custom', definition: { all: [jazz, 7] } },
    } as const;
    const sent: unknown[] = [];
    await page.route(/\/segments(\/[789])?$/, async (route) => {
      const last = route.request().url().split('/').at(-1);
      if (route.request().method() !== 'GET') sent.push(route.request().postDataJSON());
      await route.fulfill({ json: segments[last === '7' || last === '9' ? last : 8] });
    });
    await page.goto('/console#/segments/9/edit');
    await expect.poll(() => page.getByLabel('Rule 2: value').inputValue()).toBe('65');
    expect(await page.getByLabel('Rule 2: what').inputValue()).toBe('field:age');
    expect(await page.getByLabel('Rule 2: how').inputValue()).toBe('lt');
    expect(await page.getByRole('button', { name: 'Save segment' }).isDisabled()).toBe(true);
    await page.getByLabel('Rule 2: value').fill('64');
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Named 9' }).waitFor();
    expect(sent).toMatchObject([
      { where: segments[8].where },
      { name: 'Named 9', definition: { all: [jazz, 8] } },
    ]);
  });

  it('takes no changes while it is under way', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const held = await hold(page);
    await build(page, 'Fixed');
    await save(page);
    await expect.poll(() => page.getByLabel('Name').isDisabled()).toBe(true);
    for (const label of ['Rule 1: what', 'Rule 1: how', 'Rule 1: value', 'How many must hold'])
      expect(await page.getByLabel(label).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Rule', exact: true }).isDisabled()).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save segment');
    expect(await opened.barriers()).toEqual([]);
    await expect.poll(() => held.came).toHaveLength(1);
    await held.refuse();
    await page.getByRole('alert').getByText('The segment is not saved.').waitFor();
    await page.getByLabel('Name').fill('Free');
    expect(await page.evaluate('document.activeElement.value')).toBe('Free');
  });
});
