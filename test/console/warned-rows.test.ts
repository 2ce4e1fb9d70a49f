import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

const hostile = `<img src=x onerror=alert(1)> \u202eshalom ${'x'.repeat(1_000)}`;
/** A name of a column has at most 255 characters. */
const column = `Age <b>\u202e${'y'.repeat(240)}`;
const lines = [
  'K-1;ada@example.org;old',
  `K-2;bob@example.org;${hostile}`,
  'K-3;cyd@example.org;30',
  'K-4;nope;31',
];

let service: Service;
let importId = 0;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  const age = { ...fieldMap('age', column), on_bad_value: 'drop_cell' };
  const maps = [fieldMap('unique_id', 'Nr'), fieldMap('email', 'Mail'), age];
  const body = definitionOf(maps, { name: 'ages', delimiter: 'semicolon' });
  ({ id: importId } = await api().createImport({ body }));
});

const api = () => service.client.tidemark.forProperty(service.property);

/** Imports or tries the file. Answers where its job is in the console. */
const jobOf = async (dryRun: boolean): Promise<string> => {
  const file = new Blob([`Nr;Mail;${column}\n${lines.join('\n')}\n`]);
  const { jobId } = await api().uploadFile({ importId, file, fileName: 'ages.csv', dryRun });
  await api().waitForImport({ importId, jobId });
  return `/console#/import/${importId}/${jobId}`;
};

describeWith('chromium', 'cells that were left out', () => {
  it('are shown with their rows and downloaded, whatever is in them', async () => {
    const place = await jobOf(false);
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto(place);
    const remarks = page.getByRole('region', { name: 'Stored, with a remark' });
    await remarks.getByRole('button', { name: 'Show the rows' }).click();
    const group = page.getByRole('group').filter({ hasText: 'Cells that cannot be read' });
    const row = group.getByRole('row').filter({ hasText: 'K-2' });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      '3',
      expect.stringContaining('bob@example.org'),
      hostile,
      expect.stringContaining('Must be a whole number, 0 to 150.'),
    ]);
    expect(await group.getByRole('textbox').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await opened.barriers()).toEqual([]);
    const download = page.waitForEvent('download');
    await remarks.getByRole('button', { name: 'Download as a spreadsheet' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('ages.warnings.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + 2);
    expect(text).toContain(hostile);
    expect(opened.complaints).toEqual([]);
  });

  it('are shown of a try, beside the rows that would be refused', async () => {
    const place = await jobOf(true);
    await using opened = await openConsole(service, { width: 390 });
    const { page } = opened;
    await page.goto(place);
    const shows = page.getByRole('button', { name: 'Show the rows' });
    await shows.first().click();
    await page.getByRole('row').filter({ hasText: 'nope' }).waitFor();
    await shows.last().click();
    await page.getByRole('row').filter({ hasText: 'K-1' }).getByText('old').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await opened.barriers()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('are beside the rows that would be refused, and below them while the rows of either are shown', async () => {
    const place = await jobOf(true);
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.goto(place);
    const shows = page.getByRole('button', { name: 'Show the rows' });
    const isBeside = async (): Promise<boolean> => {
      const panels = page.getByRole('region').filter({ has: shows });
      const [refused, warned] = [await panels.first().boundingBox(), await panels.last().boundingBox()];
      return refused?.y === warned?.y;
    };
    await expect.poll(isBeside).toBe(true);
    await shows.first().click();
    await shows.last().click();
    await shows.first().click();
    await page.getByRole('row').filter({ hasText: 'K-1' }).getByText('old').waitFor();
    expect(await isBeside()).toBe(false);
    await shows.last().click();
    await expect.poll(isBeside).toBe(true);
  });
});
