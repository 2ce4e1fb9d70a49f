import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';

/** What opens the deadline of an invocation (see `Deadline`). */
const opening =
  /^export const handler = (?:apiHandler|callerHandler|publicHandler|queueHandler|taskHandler|withinInvocation)\(/m;

it.each(Object.entries(manifest))('%s: makes no call after the end of an invocation', (_, { source }) => {
  expect(readFileSync(new URL(`../../functions/${source}.ts`, import.meta.url), 'utf8')).toMatch(opening);
});
