/** Operations: calls operations of the API by their names, as users do. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Exchange, Sent } from '../../functions/edge/openapi/examples.ts';
import type { HttpTrigger } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import type { Service } from '../support/service.ts';

/**
 * Calls an operation, with `property_id` in the path. Returns the body of the answer. Throws unless the operation documents
 * the status as success.
 */
export interface Call {
  (operation: string, sent?: Sent): Promise<unknown>;
  <S extends v.GenericSchema>(operation: string, sent: Sent, schema: S): Promise<v.InferOutput<S>>;
}

/** All operations of the API, by their names. */
export const operations: ReadonlyMap<string, HttpTrigger> = new Map(
  Object.entries(manifest).flatMap(([name, { trigger }]) =>
    trigger.kind === 'http' && trigger.method !== '$default' ? [[name, trigger] as const] : [],
  ),
);

/** The calls of a service. Each exchange is shown to `seen`. */
export const callerOf = (
  service: Pick<Service, 'call' | 'property'>,
  seen: (operation: string, exchange: Exchange) => void = () => undefined,
): Call => {
  const exchange = async (operation: string, sent: Sent): Promise<Exchange> => {
    const trigger = operations.get(operation);
    if (!trigger) throw new Error(`There is no operation ${operation}.`);
    const request = withProperty(trigger, sent, service.property);
    const { body } = request;
    // As the client of users does.
    const key = trigger.method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const { status, headers, text } = await service.call(trigger.method, addressOf(trigger, request), {
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { ...key, ...request.headers },
      as: trigger.auth === 'token' ? 'demo' : 'nobody',
    });
    if (!trigger.statuses.includes(status)) throw new Error(`${operation} answered ${status}: ${text}`);
    return { request, answer: { status, ...shownHeaders(headers), ...bodyOf(text, headers) } };
  };
  async function call(operation: string, sent?: Sent): Promise<unknown>;
  async function call<S extends v.GenericSchema>(
    operation: string,
    sent: Sent,
    schema: S,
  ): Promise<v.InferOutput<S>>;
  async function call(operation: string, sent: Sent = {}, schema: v.GenericSchema = v.unknown()) {
    const made = await exchange(operation, sent);
    seen(operation, made);
    return v.parse(schema, made.answer.body);
  }
  return call;
};

/** A request with the property in its path, and its members in the order of examples. */
const withProperty = (trigger: HttpTrigger, sent: Sent, property: number): Sent => {
  const { path, query, headers, body } = sent;
  const placed = trigger.path.includes('{property_id}') ? { property_id: property, ...path } : path;
  return {
    ...(placed ? { path: placed } : {}),
    ...(query ? { query } : {}),
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  };
};

/** The address of a request below the base address. */
const addressOf = (trigger: HttpTrigger, { path = {}, query = {} }: Sent): string => {
  const filled = trigger.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`The path needs ${name}.`);
    return encodeURIComponent(value);
  });
  const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`;
};

const JSON_TYPE = 'application/json';

/** Headers that an answer needs to be understood. */
const shownHeaders = (headers: Headers): Pick<Exchange['answer'], 'headers'> => {
  const names = ['location', 'link', ...(isJson(headers) ? [] : ['content-type'])];
  const shown = names.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return shown.length === 0 ? {} : { headers: Object.fromEntries(shown) };
};

const isJson = (headers: Headers): boolean => headers.get('content-type')?.startsWith(JSON_TYPE) === true;

const bodyOf = (text: string, headers: Headers): Pick<Exchange['answer'], 'body'> => {
  if (text === '') return {};
  return { body: isJson(headers) ? JSON.parse(text) : text };
};
