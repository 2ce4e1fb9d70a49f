import type { Locator, Page } from 'playwright-core';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { chooseFile, press } from './import-cast.ts';

const hostile = '<img src=x onerror=alert(1)> שלום';

/** Two rows of four have an address that is none; one of them has a bad birthday, too. */
const mess = [
  'Kundennr;Vorname;E-Mail;Interessen',
  `K-1;${hostile};ada@example.org;Jazz`,
  'K-2;Bob;bob (at) example.org;Blues',
  'K-3;Cyd;cyd@example.org;Jazz',
  'K-4;Dan;dan (at) example.org;Jazz',
];

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

/** What a screen reader says once it changes. */
const live = (page: Page): Locator => page.locator('main > [role=status]');

/** Who has this address: 200 or 404. */
const statusOf = async (email: string): Promise<number> =>
  (await service.call('GET', `/v1/${service.property}/profile?email=${email}`)).status;

const definitions = async (): Promise<readonly string[]> => {
  const listed = v.object({ imports: v.array(v.object({ name: v.string() })) });
  const { imports } = v.parse(
    listed,
    JSON.parse((await service.call('GET', `/v1/${service.property}/imports`)).text),
  );
  return imports.map(({ name }) => name);
};

describeWith('chromium', 'an import in the console', () => {
  it('is tried, imported, mended until it is complete, and undone with a receipt', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'mess 2026-11.csv', mess);
    expect(await page.getByLabel('Field for E-Mail').inputValue()).toBe('email');
    await page.getByRole('cell', { name: hostile }).first().waitFor();
    expect(await opened.barriers()).toEqual([]);
    expect(await live(page).innerText()).toBe('');
    await press(opened, 'Try every row');
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
    expect(await page.getByText('Tried on every row; nothing is stored yet').isVisible()).toBe(true);
    expect(await live(page).innerText()).toContain('Rows to store: 2. Refused rows: 2.');
    expect(await statusOf('ada@example.org')).toBe(404);
    expect(await opened.barriers()).toEqual([]);

    await press(opened, 'Import 2 rows');
    await page.getByRole('heading', { name: '2 rows of mess 2026-11.csv wait for you' }).waitFor();
    // A screen reader says what changes in an element, and not an element that comes with its text.
    await page.evaluate("document.querySelector('main > [role=status]').dataset.same = ''");
    const same = page.locator('[data-same]');
    expect(await same.innerText()).toBe('2 of 4 rows stored');
    const wrong = page.getByLabel('E-Mail in line 3', { exact: true });
    expect(await wrong.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('Is not an e-mail address: it has no "@".').first().waitFor();
    await press(opened, 'Replace “(at)” with “@” in 2 rows');
    expect(await wrong.inputValue()).toBe('bob@example.org');
    expect(await statusOf('bob@example.org')).toBe(404);
    await wrong.fill('bob@example net');
    await page.getByText('Not an e-mail address', { exact: true }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    await press(opened, 'All cells of line 5');
    await page.getByRole('dialog').getByLabel('E-Mail').fill('dan@example.org');
    await press(opened, 'Done');
    await page.getByRole('button', { name: 'Send 2 mended rows' }).first().click();
    await page.getByText('Refused again: 1 of the 2 rows that you sent.').first().waitFor();
    expect(await same.innerText()).toContain('Refused again: 1 of the 2 rows');
    await page.getByText('Is not an e-mail address: it has a space in it.').waitFor();
    await page.getByLabel('E-Mail in line 3', { exact: true }).fill('bob@example.net');
    await page.getByRole('button', { name: 'Send 1 mended row' }).first().click();
    await page.getByRole('heading', { name: 'Complete: every row is stored' }).waitFor();
    expect(await same.innerText()).toBe('Complete: every row is stored');
    expect(await statusOf('bob@example.net')).toBe(200);
    expect(await statusOf('dan@example.org')).toBe(200);

    await press(opened, 'Undo the import');
    await press(opened, 'Take back 4 rows');
    await page.getByText('Finished').waitFor();
    expect(await same.innerText()).toBe('Undone');
    const receipt = page.getByRole('region', { name: 'What the undo took back' });
    expect((await receipt.innerText()).replaceAll(/\s+/g, ' ')).toContain('People removed 4');
    expect(await statusOf('bob@example.net')).toBe(404);
    expect(await opened.barriers()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('uses the definition of the same columns again, and not where a column gets another field', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'mess 2026-12.csv', mess);
    await page.getByText('The columns are those of “mess”, so this file is read in the same way').waitFor();
    await page.getByLabel('Field for Interessen').selectOption('source');
    await page.getByText('The columns are those of').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Field for Interessen').inputValue()).toBe('source');
    expect(opened.complaints).toEqual([]);
  });

  it('leaves no definition behind when the file is put away after a try', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'members.csv', ['Mitglied;Mail', 'M-1;eve@example.org']);
    await press(opened, 'Try every row');
    await page.getByRole('button', { name: 'Import 1 row', exact: true }).waitFor();
    expect(await definitions()).toContain('members');
    await press(opened, 'Choose another file');
    await expect.poll(definitions, { timeout: 10_000 }).not.toContain('members');
    expect(await statusOf('eve@example.org')).toBe(404);
    expect(opened.complaints).toEqual([]);
  });

  it('uses the definition of a try again whose tab was closed, and keeps one for the file', async () => {
    const file = ['Mitglied;Mail', 'M-1;eve@example.org'];
    const owners = async () => (await definitions()).filter((name) => name.startsWith('guests'));
    {
      await using closed = await openConsole(service);
      await chooseFile(closed, 'guests 1.csv', file);
      await press(closed, 'Try every row');
      await closed.page.getByRole('button', { name: 'Import 1 row', exact: true }).waitFor();
    }
    expect(await owners()).toEqual(['guests']);
    await using opened = await openConsole(service);
    await chooseFile(opened, 'guests 2.csv', file);
    await opened.page.getByText('The columns are those of “guests”').waitFor();
    await press(opened, 'Try every row');
    await press(opened, 'Import 1 row');
    await opened.page.getByRole('heading', { name: 'Complete: every row is stored' }).waitFor();
    expect(await owners()).toEqual(['guests']);
    expect(opened.complaints).toEqual([]);
  });

  it('says which file cannot be read, and that no column is an identity', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'towns.csv', ['Ort;Land', 'Bremen;DE']);
    await page.getByText('No column says whose record a row is', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Try every row' }).count()).toBe(0);
    await page.getByLabel('Field for Ort').selectOption('unique_id');
    await page.getByRole('button', { name: 'Try every row' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
