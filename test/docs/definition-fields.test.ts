import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import { importBody } from '../../shared/imports/schemas/definition-schemas.ts';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');

it('docs/exports-reference.md has each field of a definition in its table, and no other', () => {
  const [, section = ''] = read('exports-reference.md').split(/^## /m);
  const cells = [...section.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\w+/g) ?? [],
  );
  expect(cells.toSorted()).toEqual(Object.keys(newExportBody.entries).toSorted());
});

it('docs/imports-reference.md has each field of a definition', () => {
  const page = read('imports-reference.md');
  const missing = Object.keys(importBody.entries).filter(
    (field) => !new RegExp(`\`${field}[\`.]`).test(page),
  );
  expect(missing).toEqual([]);
});
