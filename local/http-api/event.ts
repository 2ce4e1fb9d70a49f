/** Request events: builds the event of payload format 2.0 from an HTTP request, for the functions. */
import type { IncomingMessage } from 'node:http';
import { ACCOUNT } from '../core/arn.ts';
import type { Match } from './routes.ts';

/** A request with its complete body. */
export interface ReadRequest {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly requestId: string;
  readonly apiId: string;
  readonly now: Date;
}

/** Media types that API Gateway passes on as text. Other bodies arrive in base64. */
const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded)|.*\+(json|xml))/i;

/** Another charset than UTF-8: such a body arrives in base64, whatever its media type. */
const OTHER_CHARSET = /;\s*charset="?(?!utf-?8\b)/i;

const isTextType = (type: string): boolean => TEXT.test(type) && !OTHER_CHARSET.test(type);

/** The event of payload format 2.0 for a request, as JSON. */
export const eventOf = (request: ReadRequest, match: Match): string => {
  const { incoming, body } = request;
  const [rawPath, rawQueryString] = split(incoming.url ?? '/');
  const headers = headersOf(incoming);
  const isText = body.length === 0 || isTextType(headers['content-type'] ?? '');
  const cookies = incoming.headers.cookie?.split(/;\s*/);
  const query = queryOf(rawQueryString);
  return JSON.stringify({
    version: '2.0',
    routeKey: match.route.key,
    rawPath,
    rawQueryString,
    ...(cookies ? { cookies } : {}),
    headers,
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: contextOf(request, match, rawPath),
    ...(Object.keys(match.parameters).length > 0 ? { pathParameters: match.parameters } : {}),
    ...(body.length > 0 ? { body: isText ? body.toString('utf8') : body.toString('base64') } : {}),
    isBase64Encoded: !isText,
  });
};

const split = (url: string): readonly [string, string] => {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
};

/** Header names in lower case, several values joined by commas. Cookies have a member of their own. */
const headersOf = (incoming: IncomingMessage): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    if (name !== 'cookie' && values) headers[name] = values.join(',');

  headers['x-forwarded-for'] = sourceOf(incoming);
  headers['x-forwarded-proto'] = 'http';
  return headers;
};

const sourceOf = (incoming: IncomingMessage): string =>
  (incoming.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');

/** Several values of one name joined by commas; undefined without a query. API Gateway reads `+` as a space. */
const queryOf = (raw: string): Record<string, string> | undefined => {
  if (raw === '') return undefined;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(raw)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(values);
};

const contextOf = ({ incoming, requestId, apiId, now }: ReadRequest, match: Match, path: string): object => ({
  accountId: ACCOUNT,
  apiId,
  domainName: incoming.headers.host ?? '',
  domainPrefix: apiId,
  http: {
    method: incoming.method ?? 'GET',
    path,
    protocol: `HTTP/${incoming.httpVersion}`,
    sourceIp: sourceOf(incoming),
    userAgent: incoming.headers['user-agent'] ?? '',
  },
  requestId,
  routeKey: match.route.key,
  stage: '$default',
  time: now.toISOString(),
  timeEpoch: now.getTime(),
});
