import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { errorsPage } from './errors-page.ts';

const file = join(import.meta.dirname, '../../docs/errors.md');

it('docs/errors.md has every code of the registries (vitest --update writes the page anew)', async () => {
  const page = await format(errorsPage(), { ...(await resolveConfig(file)), filepath: file });
  await expect(page).toMatchFileSnapshot(file);
});
