import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../support/listening.ts';

/** A prepared answer. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the connection after the first byte. */
  readonly breaks?: boolean;
}

/** A server that gives prepared answers, then empty ones, and keeps its requests. */
export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  /** The next answers. */
  answers: Answer[];
  readonly seen: readonly { readonly request: IncomingMessage; readonly body: Buffer }[];
}

/** Starts the server. `empty` is the text of an empty answer. */
export const answeringServer = async (empty = ''): Promise<AnsweringServer> => {
  const seen: { readonly request: IncomingMessage; readonly body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      seen.push({ request, body });
      const next = answering.answers.shift() ?? {};
      const { status = 200, headers = {}, body: text = empty, breaks = false } = next;
      response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers });
      if (breaks) response.write(text.slice(0, 1), () => response.destroy());
      else response.end(request.method === 'HEAD' ? undefined : text);
    });
  });
  const answering: AnsweringServer = { ...(await listening(server)), answers: [], seen };
  return answering;
};
