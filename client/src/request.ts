/** Turns the input of an operation into a request. */
import type { Sending } from './transport.ts';
import type { Call, Operation } from './types.ts';

/** The settings of a client that every request contains. */
export interface RequestSettings {
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
  const headers = new Headers({ accept: '*/*', ...settings.headers, ...call.headers });
  if (keyed && !headers.has('idempotency-key')) headers.set('idempotency-key', newKey());
  const body = bodyOf(call, headers);
  return {
    method,
    url: urlOf(path, call, settings),
    headers,
    body,
    // A second token does no harm.
    repeatable: method !== 'POST' || keyed || path === '/oauth/token',
    signal: call.signal,
  };
};

const urlOf = (template: string, { path = {}, query = {} }: Call, settings: RequestSettings): URL => {
  const parameters = { ...path, property_id: path['property_id'] ?? settings.propertyId };
  const values = new Map<string, unknown>(Object.entries(parameters));
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(values.get(name));
    if (text === undefined || text === '') throw new Error(`The path ${template} needs ${name}.`);
    return encodeURIComponent(text);
  });
  const url = new URL(`${settings.baseUrl.replace(/\/$/, '')}${filled}`);
  // The service takes `+` as a plus sign. encodeURIComponent writes a space as %20 and a plus sign as %2B.
  url.search = Object.entries(query)
    .flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
    })
    .join('&');
  return url;
};

/** A parameter as text. A list has commas between its values. */
const textOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '').join(',');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
};

const bodyOf = ({ body, contentType }: Call, headers: Headers): Sending['body'] => {
  if (body === undefined) return undefined;
  headers.set('content-type', contentType ?? 'application/json');
  if (contentType === undefined || contentType === 'application/json') return JSON.stringify(body);
  if (typeof body === 'string' || body instanceof Blob) return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new Error(`A body of type ${contentType} is text, bytes or a Blob.`);
};
