import { expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { handlerSource, howToWriteHandler } from '../support/handler-source.ts';

/** The wrappers that open the deadline of an invocation (see `Deadline`). */
const opening =
  /^export const handler = (?:apiHandler|callerHandler|publicHandler|queueHandler|taskHandler|withinInvocation)\(/m;

it.each(Object.entries(manifest))('%s makes no call after the end of an invocation', (name, entry) => {
  expect(opening.test(handlerSource(name, entry)), howToWriteHandler(name, entry)).toBe(true);
});
