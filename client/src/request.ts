/** Turns the input of an operation into a request. */
import type { Sending } from './transport.ts';
import type { Call, Operation } from './types.ts';

/** The settings of a client that every request contains. */
export interface RequestSettings {
  /** The address of the service, as `baseOf` returns it. */
  readonly baseUrl: string;
  readonly propertyId: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The request of a call, without its token. A POST that takes an `Idempotency-Key` gets `newKey()` unless the call has a
 * key; all attempts of the call share it. Throws an error when a parameter of the path is missing.
 */
export const requestOf = (
  { method, path, keyed }: Operation,
  call: Call,
  settings: RequestSettings,
  newKey: () => string,
): Sending => {
  const headers = headersOf({ accept: '*/*' }, settings.headers, call.headers ?? {});
  if (keyed && !headers.has('idempotency-key')) headers.set('idempotency-key', newKey());
  const body = bodyOf(call, headers);
  return {
    method,
    url: urlOf(path, call, settings),
    shown: shownPath(path, call, settings),
    headers,
    body,
    repeatable: method !== 'POST' || keyed || isHarmlessTwice(path, call),
    signal: call.signal,
  };
};

/**
 * Whether a second POST without a key does no harm. A second token of a sign-in does none, and a token ends only once. A
 * second key would count among the keys of its user, and nobody would have it.
 */
const isHarmlessTwice = (path: string, { body }: Call): boolean =>
  path === '/oauth/revoke' || (path === '/oauth/token' && !hasName(body));

const hasName = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'name' in body &&
  body.name !== undefined &&
  body.name !== null;

/** The headers of all sets. A later set replaces the headers of an earlier set, in any case of letters. */
const headersOf = (...sets: readonly Readonly<Record<string, string>>[]): Headers => {
  const headers = new Headers();
  for (const [name, value] of sets.flatMap((set) => Object.entries(set))) setHeader(headers, name, value);
  return headers;
};

/** Sets a header. The error of `Headers` would show the value, which may be a token. */
export const setHeader = (headers: Headers, name: string, value: string): void => {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(`The header ${name} has characters that a header cannot contain.`);
  }
};

/** The address of the service, without a slash at its end. Throws a `TypeError` if it is no address of a service. */
export const baseOf = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // The message does not show the address, which may contain a password.
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError('baseUrl is no address such as https://tidemark.example.com.');
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw new TypeError('baseUrl has a user, a query or a fragment. Give credentials as options.');
  const steps = url.pathname.split('/').filter((step) => step !== '');
  return [url.origin, ...steps].join('/');
};

const urlOf = (template: string, call: Call, settings: RequestSettings): URL => {
  const url = new URL(`${settings.baseUrl}${filledPath(template, call, settings)}`);
  // The service takes `+` as a plus sign. encodeURIComponent writes a space as %20 and a plus sign as %2B.
  url.search = Object.entries(call.query ?? {})
    .flatMap(([name, value]) => {
      const text = textOf(name, value);
      return text === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
    })
    .join('&');
  return url;
};

/** The path of an operation, filled in. Throws an error for a value that would change the rest of the path. */
const filledPath = (template: string, { path = {} }: Call, settings: RequestSettings): string => {
  const parameters = { ...path, property_id: path['property_id'] ?? settings.propertyId };
  const values = new Map<string, unknown>(Object.entries(parameters));
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(name, values.get(name));
    if (text === undefined || text === '') throw new Error(`The path ${template} needs ${name}.`);
    // URLs take these two names for steps in the path, also when they are encoded.
    if (text === '.' || text === '..')
      throw new Error(`The path ${template} cannot have ${text} as ${name}.`);
    return encodeURIComponent(text);
  });
};

/** The path for messages. A capability grants access by itself, so messages do not contain it. */
const shownPath = (template: string, call: Call, settings: RequestSettings): string =>
  filledPath(template.replace('{capability}', '...'), call, settings);

/** A parameter as text; `undefined` if there is none. A list has commas between its values; an empty list is none. */
const textOf = (name: string, value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const texts = value.flatMap((one) => textOf(name, one) ?? []);
    return texts.length === 0 ? undefined : texts.join(',');
  }
  // A filter that is silently left out would widen the answer.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new TypeError(`The parameter ${name} is no text, number or boolean.`);
  return String(value);
};

const bodyOf = ({ body, contentType }: Call, headers: Headers): Sending['body'] => {
  if (body === undefined) return undefined;
  headers.set('content-type', contentType ?? 'application/json');
  if (contentType === undefined || contentType === 'application/json') return JSON.stringify(body);
  if (typeof body === 'string' || body instanceof Blob) return body;
  if (body instanceof Uint8Array) return new Blob([new Uint8Array(body)]);
  throw new Error(`A body of type ${contentType} is text, bytes or a Blob.`);
};
