import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { chooseFile, press } from './import-cast.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

describeWith('chromium', 'how a file is written, in the console', () => {
  it('takes the delimiter that the reader knows, and keeps a field of a column that is still there', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await chooseFile(opened, 'list.csv', [
      'Mail,Notes;Hall|Seat',
      'ada@example.org,x;A|1',
      'bob@example.org,y;B|2',
    ]);
    const field = page.getByLabel('Field for Mail', { exact: true });
    await field.selectOption('unique_id');
    await press(opened, 'Change');
    await page.getByLabel('Delimiter').selectOption('semicolons');
    await page.getByLabel('Field for Mail,Notes').waitFor();
    expect(await field.count()).toBe(0);
    await page.getByText('2 columns · semicolons').waitFor();
    await page.getByLabel('Delimiter').selectOption('commas');
    await field.waitFor();
    expect(await field.inputValue()).toBe('unique_id');
    await press(opened, 'Try every row');
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
    const [definition] = (await service.client.tidemark.forProperty(service.property).listImports()).imports;
    expect(definition).toMatchObject({ name: 'list', delimiter: 'comma' });
    expect(await opened.barriers()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
