import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { innerLimits } from './inner-limits.ts';
import { limitsPage } from './limits-page.ts';

const file = join(import.meta.dirname, '../../docs/limits.md');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The names of all figures in `part`, as `imports.columns`. */
const figuresIn = (part: object, path = ''): readonly string[] =>
  Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    isObject(value) ? figuresIn(value, `${path}${name}.`) : [`${path}${name}`],
  );

/** `part`, which notes in `read` each figure that is read of it. */
const noting = <Part extends object>(part: Part, read: Set<string>, path = ''): Part =>
  new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (isObject(value)) return noting(value, read, `${path}${String(name)}.`);
      read.add(`${path}${String(name)}`);
      return value;
    },
  });

it('docs/limits.md has the limits of the code (vitest --update writes the page anew)', async () => {
  const page = await format(limitsPage(limits), { ...(await resolveConfig(file)), filepath: file });
  await expect(page).toMatchFileSnapshot(file);
});

it('each limit is on the page, or no client meets it', () => {
  const shown = new Set<string>();
  limitsPage(noting(limits, shown));
  const isInner = (name: string): boolean =>
    innerLimits.some((inner) => name === inner || name.startsWith(`${inner}.`));
  const missing = figuresIn(limits).filter((name) => !shown.has(name) && !isInner(name));
  expect(
    missing,
    'write a row in limits-of-data.ts or limits-of-results.ts, or a name in inner-limits.ts',
  ).toEqual([]);
  expect([...shown].filter(isInner)).toEqual([]);
  const known = figuresIn(limits);
  expect(
    innerLimits.filter((inner) => !known.some((name) => name === inner || name.startsWith(`${inner}.`))),
  ).toEqual([]);
});
