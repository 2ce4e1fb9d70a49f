/** Recorder: sends requests of operations to a running service, and keeps the exchanges that become examples. */
import * as v from 'valibot';
import type { HttpTrigger } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import type { TidemarkOptions } from '../../standalone/tidemark.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Exchange, Sent } from '../../functions/edge/openapi/examples.ts';

type Send = <S extends v.GenericSchema>(
  operation: string,
  sent: Sent,
  schema: S,
) => Promise<v.InferOutput<S>>;

/** A running service whose exchanges are kept. */
export interface Recorder extends AsyncDisposable {
  readonly service: TestService;
  /** The kept exchanges by operation, in the order in which they were made. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /**
   * Sends a request, with `property_id` in the path. Returns the body of the answer. Throws unless the operation
   * documents the status as success.
   */
  readonly send: Send;
  /** The same, and keeps the exchange as the example of the operation. Throws if the operation has an example. */
  readonly record: Send;
}

/** All operations of the API, by their names. */
const operations: ReadonlyMap<string, HttpTrigger> = new Map(
  Object.entries(manifest).flatMap(([name, { trigger }]) =>
    trigger.kind === 'http' && trigger.method !== '$default' ? [[name, trigger] as const] : [],
  ),
);

/** Starts a service and records it. */
export const startRecorder = async (options?: TidemarkOptions): Promise<Recorder> => {
  const service = await startService(options);
  const exchanges = new Map<string, Exchange>();
  const exchange = async (operation: string, sent: Sent): Promise<Exchange> => {
    const trigger = operations.get(operation);
    if (!trigger) throw new Error(`There is no operation ${operation}.`);
    const request = withProperty(trigger, sent, service.property);
    const { body } = request;
    const { status, headers, text } = await service.call(trigger.method, addressOf(trigger, request), {
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: request.headers ?? {},
      as: trigger.auth === 'token' ? 'demo' : 'nobody',
    });
    if (!trigger.statuses.includes(status)) throw new Error(`${operation} answered ${status}: ${text}`);
    return { request, answer: { status, ...shownHeaders(headers), ...bodyOf(text, headers) } };
  };
  return {
    service,
    exchanges,
    send: async (operation, sent, schema) => v.parse(schema, (await exchange(operation, sent)).answer.body),
    record: async (operation, sent, schema) => {
      if (exchanges.has(operation)) throw new Error(`${operation} has two examples.`);
      const made = await exchange(operation, sent);
      exchanges.set(operation, shortened(made));
      return v.parse(schema, made.answer.body);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
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

/** An exchange whose answer is cut where it is too long for an example. */
const shortened = ({ request, answer }: Exchange): Exchange => {
  const { body } = answer;
  return body === undefined ? { request, answer } : { request, answer: { ...answer, body: beginOf(body) } };
};

/** Of a page or a picture the first tag; of another text the first line; of the API document, which has the examples, the first fields. */
const beginOf = (body: unknown): unknown => {
  if (typeof body === 'string')
    return `${body.startsWith('<') ? body.slice(0, body.indexOf('>') + 1) : body.split('\n', 1)[0]}…`;
  return v.is(documentBegin, body) ? v.parse(documentBegin, body) : body;
};

const documentBegin = v.object({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string() }),
});
