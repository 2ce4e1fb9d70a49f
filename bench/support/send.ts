/** Send: an HTTP request over connections that stay open, for the service and for its peer alike. */
import { type Agent, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** An answer of a service. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** A body: a value for JSON, or a file. */
export type Sent = { readonly json: unknown } | { readonly file: Readable };

interface Asked {
  readonly method: string;
  readonly token?: string | undefined;
  readonly body?: Sent | undefined;
}

/** Sends a request, and reads its answer to the end. */
export const send = async (
  agent: Agent,
  url: string,
  { method, token, body }: Asked,
): Promise<HttpAnswer> => {
  const json = body && 'json' in body ? JSON.stringify(body.json) : undefined;
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
    }),
  };
  const asked = request(url, { agent, method, headers });
  const answer = new Promise<HttpAnswer>((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, text: read }), reject);
    });
  });
  if (body && 'file' in body) await Promise.all([pipeline(body.file, asked), answer]);
  else asked.end(json);
  return answer;
};
