/** Router: finds the route of a request by the rules of API Gateway's HTTP APIs. */
/** A route of the API and its function. */
export interface Route {
  /** As in the template: `GET /things/{id}`, `ANY /files/{proxy+}` or `$default`. */
  readonly key: string;
  readonly functionName: string;
  readonly timeoutMs: number;
  /**
   * Bound of concurrent requests to the function, waiting requests included. The API refuses further requests at once.
   */
  readonly mostAtOnce: number;
  /** False when the policy of the function does not allow API Gateway to invoke it for this route. */
  readonly permitted: boolean;
}

/** A matching route with its decoded path parameters. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly route: Route;
  readonly method: string;
  readonly segments: readonly string[];
}

/** Finds the route of a request; undefined without a match and without `$default`. */
export type Router = (method: string, path: string) => Match | undefined;

/**
 * Compiles routes by the rules of API Gateway's HTTP APIs: full matches before greedy matches, in each segment text
 * before a `{parameter}`, a method before `ANY`, and `$default` last.
 */
export const createRouter = (routes: readonly Route[]): Router => {
  const fallback = routes.find(({ key }) => key === '$default');
  const compiled = routes
    .filter(({ key }) => key !== '$default')
    .map(compile)
    .toSorted(byRank);
  return (method, path) => {
    const given = segmentsOf(path);
    for (const candidate of compiled) {
      if (candidate.method !== 'ANY' && candidate.method !== method) continue;
      const parameters = match(candidate.segments, given);
      if (parameters) return { route: candidate.route, parameters };
    }
    return fallback && { route: fallback, parameters: {} };
  };
};

const compile = (route: Route): Compiled => {
  const [method = '', path = ''] = route.key.split(' ');
  return { route, method, segments: segmentsOf(path) };
};

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);

const isGreedy = (segment: string | undefined): boolean => segment?.endsWith('+}') === true;
const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Sort key of a segment: text, then a parameter, then a greedy parameter. */
const segmentRank = (segment: string): string => {
  if (isGreedy(segment)) return '2';
  return isParameter(segment) ? '1' : '0';
};

/** Sort key of a route: its segments, then a method before `ANY`. */
const rank = ({ segments, method }: Compiled): string => {
  const kinds = segments.map(segmentRank);
  return `${isGreedy(segments.at(-1)) ? '1' : '0'}${kinds.join('')}${method === 'ANY' ? '1' : '0'}`;
};

const byRank = (left: Compiled, right: Compiled): number => {
  const [a, b] = [rank(left), rank(right)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const match = (
  pattern: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  const greedy = isGreedy(pattern.at(-1));
  if (greedy ? given.length < pattern.length : given.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = isGreedy(segment) ? given.slice(index).join('/') : (given[index] ?? '');
    if (!isParameter(segment)) {
      if (segment !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    parameters[segment.slice(1, isGreedy(segment) ? -2 : -1)] = decode(value);
  }
  return parameters;
};

/** Percent-decoding that leaves invalid sequences unchanged. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
