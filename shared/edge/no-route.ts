import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import { nearest } from '../http/did-you-mean.ts';
import { missing } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';

/** A route that exists: its method and path templates. */
export interface KnownRoute {
  readonly method: string;
  readonly paths: readonly string[];
}

/** The problem of an address without a route: 405 with `Allow` when another method has a route, otherwise 404. */
export const noRoute = (
  routes: readonly KnownRoute[],
  { method, path }: { readonly method: string; readonly path: string },
): Problem => {
  const methods = routes
    .filter(({ paths }) => paths.some((template) => matches(template, path)))
    .flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  if (methods.length === 0) return missing(`${noSuch(method, path)}${meantOf(routes, path)} See /docs.`);
  return {
    status: 405,
    code: 'method_not_allowed',
    detail: 'This address takes other methods; see Allow.',
    headers: { allow: [...new Set(methods)].sort().join(', ') },
  };
};

/** The answer at `/`: where the documents are. */
const welcome = {
  service: 'Tidemark',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  token: '/oauth/token',
} as const;

/** Answers a request without a route: the index at `/`, otherwise the problem of `noRoute`. */
export const answerWithoutRoute = (
  routes: readonly KnownRoute[],
  { method, rawPath }: Pick<PublicRequest, 'method' | 'rawPath'>,
): Result<ApiAnswer, Problem> =>
  (rawPath === '/' || rawPath === '') && (method === 'GET' || method === 'HEAD')
    ? ok({ status: 200, body: welcome })
    : err(noRoute(routes, { method, path: rawPath }));

/** A parameter matches one segment. An id matches only a number, so that a bare alias does not match `/v1`. */
const matches = (template: string, path: string): boolean => {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => {
      const segment = given[index] ?? '';
      if (!part.startsWith('{')) return part === segment;
      return part.endsWith('_id}') ? /^[1-9][0-9]{0,15}$/.test(segment) : segment !== '';
    })
  );
};

/** Addresses that a sentence may repeat: short, and of plain characters. */
const plain = /^\/[\w/.-]{0,99}$/;

const noSuch = (method: string, path: string): string =>
  plain.test(path) && /^[A-Z]{1,10}$/.test(method) ? `No route ${method} ${path}.` : 'No such route.';

/**
 * The address that was probably meant: that of a route with the same last word and the same number of ids, which are
 * filled in.
 */
const meantOf = (routes: readonly KnownRoute[], path: string): string => {
  if (!plain.test(path)) return '';
  const given = partsOf(path.split('/'), (part) => /^\d/.test(part));
  const templates = [...new Set(routes.flatMap(({ paths }) => paths))].map((template) => ({
    template,
    ...partsOf(template.split('/'), (part) => part.startsWith('{')),
  }));
  const last = given.words.at(-1) ?? '';
  const lasts = templates.flatMap(({ words }) => words.slice(-1));
  const wanted = lasts.includes(last) ? last : nearest(last, lasts);
  const meant = templates.find(
    ({ words, ids }) => wanted !== undefined && words.at(-1) === wanted && ids.length === given.ids.length,
  );
  if (!meant) return '';
  let id = 0;
  return ` Did you mean ${meant.template.replaceAll(/\{\w+\}/g, () => given.ids[id++] ?? '')}?`;
};

const partsOf = (parts: readonly string[], isId: (part: string) => boolean) => ({
  words: parts.filter((part) => part !== '' && !isId(part)),
  ids: parts.filter((part) => isId(part)),
});
