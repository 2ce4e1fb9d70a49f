import { problems, type Problem } from '../http/problem.ts';

/** A route that exists: its method and path templates. */
export interface KnownRoute {
  readonly method: string;
  readonly paths: readonly string[];
}

/** The problem of an address without a route: 405 with `Allow` when another method has a route, otherwise 404. */
export const noRoute = (routes: readonly KnownRoute[], path: string): Problem => {
  const methods = routes
    .filter(({ paths }) => paths.some((template) => matches(template, path)))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (methods.length === 0) return problems.notFound();
  return {
    status: 405,
    code: 'method_not_allowed',
    detail: 'This address takes other methods; see Allow.',
    headers: { allow: [...new Set(methods)].sort().join(', ') },
  };
};

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
