import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpTrigger } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { bundleFunctions } from '../../lib/constructs/bundle.ts';
import { problemCodes } from '../../shared/http/problem-codes.ts';

const bundles = bundleFunctions(manifest);
const routes = Object.entries(manifest).flatMap(([name, { trigger }]) =>
  trigger.kind === 'http' && trigger.oauthErrors === undefined ? [[name, trigger] as const] : [],
);

/** The places where code makes a problem: the builders of `problems`, and objects with a status and a code. */
const places = [/\b(?:conflict|rateLimited)\("(\w+)"/g, /\bstatus:\d{3},code:"(\w+)"/g];

/** The codes of the problems that the code of a function can make. */
const codesIn = (name: string): ReadonlySet<string> => {
  const code = readFileSync(join(bundles.get(name) ?? '', 'index.mjs'), 'utf8');
  return new Set(places.flatMap((place) => [...code.matchAll(place)].map(([, found = '']) => found)));
};

/** Codes that the wrappers of routes make. `codesOf` derives them from the trigger. */
const ofWrappers = new Set([
  'bad_request',
  'unauthorized',
  'not_found',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'internal_error',
  'unavailable',
]);

/**
 * The code that the catalogue makes for whoever names a segment. Functions that only look segments up have it in their
 * bundle, too: `test/segments/preparing-named.test.ts` says which routes answer it.
 */
const ofCatalogue = 'segment_preparing';

const isOfWrapper = (code: string, { auth }: HttpTrigger): boolean =>
  ofWrappers.has(code) || (auth === 'token' && (code === 'rate_limited' || code === 'not_permitted'));

describe('the codes of a route', () => {
  it.each(routes)('%s declares exactly the codes that its code can make', (name, trigger) => {
    const declared = (trigger.codes ?? []).filter((code) => !isOfWrapper(code, trigger));
    const made = [...codesIn(name)].filter(
      (code) => !isOfWrapper(code, trigger) && (code !== ofCatalogue || declared.includes(code)),
    );
    expect(made.toSorted()).toEqual(declared.toSorted());
  });

  it('the search finds every code of the registry in some function', () => {
    const found = new Set(routes.flatMap(([name]) => [...codesIn(name)]));
    expect(Object.keys(problemCodes).filter((code) => !found.has(code))).toEqual([]);
  });
});
