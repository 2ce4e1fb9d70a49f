import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { privacyPage } from './privacy-page.ts';

const file = join(import.meta.dirname, '../../docs/privacy.md');

it('docs/privacy.md has every place of the list (vitest --update writes its part anew)', async () => {
  const text = privacyPage(readFileSync(file, 'utf8'));
  const page = await format(text, { ...(await resolveConfig(file)), filepath: file });
  await expect(page).toMatchFileSnapshot(file);
});
