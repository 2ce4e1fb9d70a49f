import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { operators } from '../../shared/catalogue/conditions/shape.ts';
import { whereSchema } from '../../shared/catalogue/conditions/where.ts';

/** The rules of the table of operators. */
const examples = [...readFileSync('docs/segments.md', 'utf8').matchAll(/^\| `(\{"field": .*\})` +\|/gm)].map(
  ([, json = '']) => json,
);

it('each operator has one example, which is a rule', () => {
  const shown = examples.map((json) => v.parse(v.pipe(v.string(), v.parseJson(), whereSchema), json).op);
  const known = new Set<string>(Object.values(operators).flat());
  expect(shown.toSorted()).toEqual([...known].toSorted());
});
