import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

/** What has the focus: the name of its element, and its text. */
const focused = (page: Page) =>
  page.evaluate('`${document.activeElement?.tagName} ${document.activeElement?.textContent}`');

describeWith('chromium', 'the focus of the console', () => {
  it('follows to the title of a new place, and goes there when what had it is gone', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await expect.poll(() => focused(page)).toMatch(/^H1 /);
    await page.getByRole('link', { name: 'Segments', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('H1 Segments');
    await page.getByRole('link', { name: 'New segment' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('H1 New segment');
    await page.getByRole('button', { name: 'Rule', exact: true }).click();
    await page.getByRole('button', { name: 'Remove rule 2' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('H1 New segment');
    expect(opened.complaints).toEqual([]);
  });

  it('goes to the title of what takes the place of a button', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const asked = page.waitForEvent('filechooser');
    await page.goto('/console#/import');
    await page.getByRole('heading', { level: 1, name: 'Import a file' }).waitFor();
    const buffer = Buffer.from('Kundennr;Vorname\nK-1;Ann\n');
    const button = page.getByRole('button', { name: /^Choose a file/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await (await asked).setFiles({ name: 'focus.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('heading', { level: 1, name: 'focus.csv' }).waitFor();
    await expect.poll(() => focused(page)).toBe('H1 focus.csv');
    expect(opened.complaints).toEqual([]);
  });

  it('comes back to the button of the menu, which ends with Escape and at a new place', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    const menu = page.getByRole('button', { name: 'Demo' });
    const leave = page.getByRole('button', { name: 'Sign out' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await leave.waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await leave.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('BUTTON Demo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await leave.waitFor({ state: 'hidden' });
    await menu.click();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await leave.waitFor({ state: 'hidden' });
    expect(opened.complaints).toEqual([]);
  });
});
