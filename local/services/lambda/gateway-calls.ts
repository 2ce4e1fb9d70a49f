/**
 * Gateway calls: lets the JSON calls of a function go to the gateway without HTTP. They still pass the signer and the HTTP
 * handler of the AWS SDK and `request` of node:http, so the function does not notice. Other calls, such as those to S3, go
 * over HTTP.
 */
import { EventEmitter } from 'node:events';
import type http from 'node:http';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type {
  AnswerCall,
  CallReply,
  FromGateway,
  FunctionCall,
  ToGateway,
} from '../../core/gateway-messages.ts';

/** The call that a client passes to `request` of node:http. JSON calls name their operation in a header. */
interface Call {
  readonly host: string;
  readonly port: number | string;
  readonly method: 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A schema would take 35 µs for a call. */
const isCall = (given: unknown): given is Call =>
  isRecord(given) &&
  given['method'] === 'POST' &&
  typeof given['host'] === 'string' &&
  (typeof given['port'] === 'number' || typeof given['port'] === 'string') &&
  typeof given['path'] === 'string' &&
  isRecord(given['headers']) &&
  'x-amz-target' in given['headers'] &&
  Object.values(given['headers']).every((value) => typeof value === 'string');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isListener = (value: unknown): value is (answer: Answer) => void => typeof value === 'function';

/** How a call ends. */
interface Ending {
  answered(reply: CallReply): void;
  /** No answer comes, as when a connection ends. */
  lost(): void;
}

/** The way of a function to the gateway. */
export interface Way {
  /** Sends a call. Returns a function that tells the gateway that nobody waits for the answer any more. */
  send(call: FunctionCall, ending: Ending): () => void;
  /** Ends the way. Its calls get no answer. */
  close(): void;
}

/** `request` of node:http, with the calls to an endpoint going another way. */
export const requestOver =
  ({ request }: Pick<typeof http, 'request'>, way: Way, endpoint: URL) =>
  (...args: readonly unknown[]): unknown => {
    const [call] = args;
    if (!isCall(call) || !leadsTo(endpoint, call)) return Reflect.apply(request, undefined, args);
    const made = new Request(way, call);
    if (isListener(args[1])) made.once('response', args[1]);
    return made;
  };

const leadsTo = (endpoint: URL, { host, port }: Call): boolean =>
  host === endpoint.hostname && Number(port) === Number(endpoint.port);

/** The way out of a worker thread: a port. */
export const overPort = (port: MessagePort): Way => {
  const waiting = new Map<number, Ending>();
  let last = 0;
  port.on('message', (message: FromGateway) => {
    const ending = waiting.get(message.id);
    if (!waiting.delete(message.id)) return;
    if (message.kind === 'answer') ending?.answered(message);
    else ending?.lost();
  });
  port.unref();
  return {
    send: (call, ending) => {
      const id = (last += 1);
      waiting.set(id, ending);
      port.postMessage({ ...call, kind: 'call', id } satisfies ToGateway, [call.body.buffer]);
      return () => {
        if (waiting.delete(id)) port.postMessage({ kind: 'abandoned', id } satisfies ToGateway);
      };
    },
    close: () => {
      waiting.clear();
      port.close();
    },
  };
};

/** The way inside the thread of the gateway: a call of a function. */
export const withinThread = (answer: AnswerCall): Way => {
  let isClosed = false;
  return {
    send: (call, ending) => {
      let isAbandoned = false;
      const isGone = (): boolean => isAbandoned || isClosed;
      const serve = async (): Promise<void> => {
        if (isGone()) return;
        const reply = await answer(call, isGone);
        if (isGone()) return;
        if (reply) ending.answered(reply);
        else ending.lost();
      };
      // Not at once: a function whose calls need no file would keep the thread from everything else.
      setImmediate(() => void serve());
      return () => {
        isAbandoned = true;
      };
    },
    close: () => {
      isClosed = true;
    },
  };
};

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  return lower;
};

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
  #abandon: (() => void) | undefined;
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
    // A copy, because the way may take the bytes away, and the client sends the same ones again when it repeats the call.
    const body = new Uint8Array(only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks));
    const { method, path: target, headers } = this.#call;
    const call = { method, target, headers: lowerCase(headers), body };
    this.#abandon = this.#way.send(call, {
      answered: (reply) => this.#answered(reply),
      lost: () => this.destroy(),
    });
    return this;
  }

  destroy(error?: Error): this {
    if (this.#destroyed) return this;
    this.#destroyed = true;
    this.#abandon?.();
    // Each call ends here, also with a whole answer. An error would take 80 µs for its stack.
    if (this.#answer) {
      if (!this.#answer.complete) this.#answer.destroy(error ?? hangUp());
      process.nextTick(() => this.emit('close'));
    } else {
      const failure = error ?? hangUp();
      process.nextTick(() => {
        this.emit('error', failure);
        this.emit('close');
      });
    }
    return this;
  }

  #answered(reply: CallReply): void {
    this.#answer = new Answer(reply);
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

  constructor({ status, headers, body }: CallReply) {
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
