/**
 * Requests of functions without HTTP: the JSON calls of functions in worker threads, which come over a message port, and of
 * those in this thread. A call over HTTP takes about three times the processor time of one over a port, and has the same
 * headers and body (docs/adr/0016).
 */
import { buffer } from 'node:stream/consumers';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type {
  AnswerCall,
  CallReply,
  FromGateway,
  FunctionCall,
  SentCall,
  ToGateway,
} from '../core/gateway-messages.ts';
import type { AwsResponse } from '../core/types.ts';
import { headersOf, MAX_BUFFERED_BYTES, queryOf, tooLarge } from './over-http.ts';
import { answerTo, LOST, type PipelineContext } from './pipeline.ts';

/** Answers the calls of functions. */
export const answerCalls =
  (context: PipelineContext): AnswerCall =>
  async (call, isGone) => {
    try {
      const given = await answerTo(context, exchangeOf(call, isGone));
      return given === LOST ? undefined : await replyOf(given);
    } catch (error) {
      console.error('gateway', call.method, call.target.split('?')[0], error);
      return undefined;
    }
  };

/** Serves the calls of one worker thread, which gets the returned port. The end of the thread closes the port. */
export const servePort = (answer: AnswerCall, ports: Set<MessagePort>): MessagePort => {
  const { port1: port, port2: callers } = new MessageChannel();
  const waiting = new Set<number>();
  const say = (message: FromGateway): void => port.postMessage(message, takenOver(message));
  const serve = async (call: SentCall): Promise<void> => {
    const { id } = call;
    waiting.add(id);
    const reply = await answer(call, () => !waiting.has(id));
    waiting.delete(id);
    say(reply ? { kind: 'answer', id, ...reply } : { kind: 'lost', id });
  };
  port.on('message', (message: ToGateway) => {
    if (message.kind === 'call') void serve(message);
    else waiting.delete(message.id);
  });
  port.on('close', () => {
    waiting.clear();
    ports.delete(port);
  });
  port.unref();
  ports.add(port);
  return callers;
};

/** The memory of a message, if it holds nothing else. The other thread then takes it over without a copy. */
const takenOver = (message: FromGateway): ArrayBuffer[] => {
  if (message.kind === 'lost' || typeof message.body === 'string') return [];
  const { buffer: memory, byteLength } = message.body;
  return memory instanceof ArrayBuffer && memory.byteLength === byteLength ? [memory] : [];
};

const exchangeOf = ({ method, target, headers, body }: FunctionCall, isGone: () => boolean) => ({
  head: { method, target, query: queryOf(target), headers },
  isOwnThread: true,
  isMisdirected: false,
  body: () => {
    if (body.length > MAX_BUFFERED_BYTES) throw tooLarge();
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  },
  drop: () => undefined,
  isGone,
});

const replyOf = async (answer: AwsResponse): Promise<CallReply> => {
  const { status, body } = answer;
  return {
    status,
    headers: { ...headersOf(answer), date: new Date().toUTCString() },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : await buffer(body),
  };
};
