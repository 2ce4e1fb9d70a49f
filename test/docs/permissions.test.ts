import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allPermissions, permissions, roles } from '../../shared/http/permissions.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');

/** The rows of the table under a head: the cells of each, without the marks of code. */
const tableUnder = (head: string): readonly (readonly string[])[] => {
  const [, ...lines] = text.slice(text.indexOf(`| ${head} `)).split('\n');
  const rows = lines.slice(
    1,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
};

it('docs/api.md has every permission with its sentence', () => {
  expect(tableUnder('permission')).toEqual(Object.entries(permissions));
});

it('docs/api.md has every role with its permissions', () => {
  const all = 'all; every user who was given no other role';
  expect(tableUnder('role')).toEqual(
    Object.entries(roles).map(([role, given]) => [
      role,
      given.length === allPermissions.length ? all : given.join(', '),
    ]),
  );
});
