import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sends a request with this `Host`, which `fetch` does not allow. */
export const getAs = (address: string, host: string, headers: Readonly<Record<string, string>> = {}) => {
  const { hostname, port, pathname, search } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request({ hostname, port, path: pathname + search, headers: { ...headers, host } }, (answer) => {
    text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
};
