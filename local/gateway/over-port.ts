/**
 * Requests over a message port: the JSON calls of functions, which run in worker threads of this process. A call over HTTP
 * takes about three times the processor time, and has the same headers and body (docs/adr/0016).
 */
import { buffer } from 'node:stream/consumers';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { CallAnswer, FromGateway, SentCall, ToGateway } from '../core/gateway-messages.ts';
import type { AwsResponse } from '../core/types.ts';
import { headersOf, MAX_BUFFERED_BYTES, queryOf, tooLarge } from './over-http.ts';
import { answerTo, LOST, type PipelineContext } from './pipeline.ts';

/** Serves the calls of one worker thread, which gets the returned port. The end of the thread closes the port. */
export const servePort = (context: PipelineContext, ports: Set<MessagePort>): MessagePort => {
  const { port1: port, port2: callers } = new MessageChannel();
  const waiting = new Set<number>();
  const say = (message: FromGateway): void => port.postMessage(message);
  const answer = async (call: SentCall): Promise<void> => {
    waiting.add(call.id);
    try {
      const given = await answerTo(
        context,
        exchangeOf(call, () => !waiting.has(call.id)),
      );
      say(given === LOST ? { kind: 'lost', id: call.id } : await messageOf(call.id, given));
    } catch (error) {
      console.error('gateway', call.method, call.target.split('?')[0], error);
      say({ kind: 'lost', id: call.id });
    } finally {
      waiting.delete(call.id);
    }
  };
  port.on('message', (message: ToGateway) => {
    if (message.kind === 'call') void answer(message);
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

const exchangeOf = ({ method, target, headers, body }: SentCall, isGone: () => boolean) => ({
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

const messageOf = async (id: number, answer: AwsResponse): Promise<CallAnswer> => {
  const { status, body } = answer;
  return {
    kind: 'answer',
    id,
    status,
    headers: { ...headersOf(answer), date: new Date().toUTCString() },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : await buffer(body),
  };
};
