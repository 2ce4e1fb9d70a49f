/**
 * Gateway calls: lets the JSON calls of a function go to the gateway over a message port. They still pass the signer and
 * the HTTP handler of the AWS SDK and `request` of node:http, so the function does not notice. Other calls, such as those
 * to S3, go over HTTP.
 */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import type { CallAnswer, FromGateway, ToGateway } from '../../core/gateway-messages.ts';

/** The call that a client passes to `request` of node:http. JSON calls name their operation in a header. */
const Call = v.object({
  host: v.string(),
  port: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)),
  method: v.literal('POST'),
  path: v.string(),
  headers: v.intersect([v.record(v.string(), v.string()), v.object({ 'x-amz-target': v.string() })]),
});
type Call = v.InferOutput<typeof Call>;

const isListener = (value: unknown): value is (answer: Answer) => void => typeof value === 'function';

/** Replaces `request` of node:http in this thread. `current` gives the way of the function that calls. */
export const callOverPorts = (current: () => Way | undefined): void => {
  const http = process.getBuiltinModule('node:http');
  const { request } = http;
  Object.assign(http, {
    request: (...args: readonly unknown[]): unknown => {
      const call = v.safeParse(Call, args[0]);
      const way = current();
      if (!call.success || !way?.leadsTo(call.output)) return Reflect.apply(request, http, args);
      const made = new Request(way, call.output);
      if (isListener(args[1])) made.once('response', args[1]);
      return made;
    },
  });
};

/** The way of a function to the gateway, with its calls under way by their ids. */
export class Way {
  readonly #port: MessagePort;
  readonly #endpoint: URL;
  readonly #waiting = new Map<number, Request>();
  #last = 0;

  constructor(port: MessagePort, endpoint: URL) {
    this.#port = port;
    this.#endpoint = endpoint;
    port.on('message', (message: FromGateway) => {
      const request = this.#waiting.get(message.id);
      if (!this.#waiting.delete(message.id)) return;
      if (message.kind === 'answer') request?.answered(message);
      else request?.destroy(hangUp());
    });
    port.unref();
  }

  /** Whether a call is one to the gateway. */
  leadsTo({ host, port }: Call): boolean {
    return host === this.#endpoint.hostname && port === Number(this.#endpoint.port);
  }

  /** Ends the way. Its calls get no answer. */
  close(): void {
    this.#waiting.clear();
    this.#port.close();
  }

  send(request: Request, { method, path, headers }: Call, body: Uint8Array<ArrayBuffer>): number {
    this.#last += 1;
    this.#waiting.set(this.#last, request);
    const call = {
      kind: 'call',
      id: this.#last,
      method,
      target: path,
      headers: lowerCase(headers),
      body,
    } as const;
    this.#port.postMessage(call satisfies ToGateway, [body.buffer]);
    return this.#last;
  }

  abandon(id: number): void {
    if (this.#waiting.delete(id)) this.#port.postMessage({ kind: 'abandoned', id } satisfies ToGateway);
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The error of node:http for a connection that ends without an answer. */
const hangUp = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** The part of a socket that clients use. */
const socket = {
  connecting: false,
  setKeepAlive: () => socket,
  setTimeout: () => socket,
  removeListener: () => socket,
  destroy: () => socket,
};

/** The part of a `ClientRequest` of node:http that clients use. A stream would take as long as the way to the gateway. */
class Request extends EventEmitter {
  readonly socket = socket;
  readonly #way: Way;
  readonly #call: Call;
  readonly #chunks: Uint8Array[] = [];
  #id = 0;
  #answer: Answer | undefined;
  #destroyed = false;

  constructor(way: Way, call: Call) {
    super();
    this.#way = way;
    this.#call = call;
  }

  write(chunk: Uint8Array | string): boolean {
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  }

  end(chunk?: Uint8Array | string): this {
    if (chunk !== undefined) this.write(chunk);
    if (this.#destroyed) return this;
    const [only] = this.#chunks;
    // A copy, because the client sends the same bytes again when it repeats the call.
    const body = new Uint8Array(only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks));
    this.#id = this.#way.send(this, this.#call, body);
    return this;
  }

  destroy(error?: Error): this {
    if (this.#destroyed) return this;
    this.#destroyed = true;
    this.#way.abandon(this.#id);
    const failure = error ?? hangUp();
    if (this.#answer?.complete === false) this.#answer.destroy(failure);
    process.nextTick(() => {
      if (!this.#answer) this.emit('error', failure);
      this.emit('close');
    });
    return this;
  }

  answered(message: CallAnswer): void {
    this.#answer = new Answer(message);
    this.#answer.once('close', () => this.destroy());
    this.emit('response', this.#answer);
  }
}

/** The part of an `IncomingMessage` of node:http that clients use. */
class Answer extends Readable {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: Uint8Array;
  complete = false;

  constructor({ status, headers, body }: CallAnswer) {
    super();
    this.statusCode = status;
    this.headers = headers;
    this.#body = typeof body === 'string' ? Buffer.from(body) : body;
  }

  override _read(): void {
    if (this.#body.length > 0) this.push(this.#body);
    this.push(null);
    this.complete = true;
  }
}
