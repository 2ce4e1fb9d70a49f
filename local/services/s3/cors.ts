/**
 * CORS: whether a page of another origin may send a request to a bucket, and read the answer. As in S3, the first rule of
 * the bucket that fits decides, the preflight has no signature, and the headers grant no access: each call is checked as
 * any other.
 */
import { ServiceError } from '../../core/service-error.ts';
import type { AwsResponse, PageRequest } from '../../core/types.ts';

/** A rule of a bucket. Origins and headers may have one `*`. */
export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  /** For so many seconds a browser may keep the answer to a preflight. */
  readonly maxAge?: number | undefined;
}

/** The answer to a preflight (OPTIONS); `rules` are `undefined` where there is no bucket. Throws a 400 or a 403. */
export const preflight = (
  rules: readonly CorsRule[] | undefined,
  { headers }: Pick<PageRequest, 'headers'>,
): AwsResponse => {
  const { origin, 'access-control-request-method': method } = headers;
  if (origin === undefined) throw badRequest('Insufficient information. Origin request header needed.');
  if (method === undefined || !METHODS.has(method))
    throw badRequest(`Invalid Access-Control-Request-Method: ${method ?? 'null'}`);
  if (rules === undefined) throw forbidden('Bucket not found');
  if (rules.length === 0) throw forbidden('CORS is not enabled for this bucket.');
  const wanted = listOf(headers['access-control-request-headers']);
  const rule = rules.find(
    (one) => admits(one, origin, method) && wanted.every((name) => fitsOne(one.headers, name)),
  );
  if (!rule) throw forbidden(NOT_ALLOWED);
  const allowed = wanted.length === 0 ? {} : { 'access-control-allow-headers': wanted.join(', ') };
  return { status: 200, headers: { ...headersOf(rule, origin), ...allowed }, body: '' };
};

/** The headers that let a page read the answer to its request; none for other requests, and without a rule that fits. */
export const pageHeaders = (
  rules: readonly CorsRule[] | undefined,
  { method, headers: { origin } }: Pick<PageRequest, 'method' | 'headers'>,
): Readonly<Record<string, string>> => {
  const rule = origin === undefined ? undefined : rules?.find((one) => admits(one, origin, method));
  return rule && origin !== undefined ? headersOf(rule, origin) : {};
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'HEAD']);

const NOT_ALLOWED =
  'This CORS request is not allowed. This is usually because the evalution of Origin, request method / ' +
  "Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";

const badRequest = (message: string): ServiceError => new ServiceError('BadRequest', message, 400);
const forbidden = (message: string): ServiceError =>
  new ServiceError('AccessForbidden', `CORSResponse: ${message}`, 403);

const listOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

const admits = ({ origins, methods }: CorsRule, origin: string, method: string): boolean =>
  methods.includes(method) && origins.some((pattern) => fits(pattern, origin));

const fitsOne = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => fits(pattern.toLowerCase(), name));

const fits = (pattern: string, text: string): boolean => {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === text;
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
};

const headersOf = (rule: CorsRule, origin: string): Readonly<Record<string, string>> => {
  const isAny = rule.origins.includes('*');
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    ...(rule.exposed.length === 0 ? {} : { 'access-control-expose-headers': rule.exposed.join(', ') }),
    ...(rule.maxAge === undefined ? {} : { 'access-control-max-age': String(rule.maxAge) }),
    ...(isAny ? {} : { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
};
