/** What readers of the screen "Import" do in the flows. */
import type { WatchedPage } from '../support/browser.ts';

/** Chooses a file on the screen of imports, and waits for its columns. */
export const chooseFile = async (
  { page }: WatchedPage,
  name: string,
  lines: readonly string[],
): Promise<void> => {
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  // The home of an empty property takes a file, too.
  await page.getByRole('heading', { level: 1, name: 'Import a file' }).waitFor();
  const buffer = Buffer.from(`${lines.join('\n')}\n`);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByRole('heading', { name: 'Columns', exact: true }).waitFor();
};

/** Presses a button. */
export const press = ({ page }: WatchedPage, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
