/** One PUT of a part of a file to an address that the service signed, in a browser. Stands in for `../put.ts` there. */
import type { Target } from '../put.ts';
import { refuse, UploadError } from '../upload-error.ts';
import type { BrowserSource } from './upload-source.ts';

/** A connection over which nothing goes for this long is broken. */
const IDLE_MS = 60_000;

/** Whether only the browser may set a header. It sends the size of the body by itself. */
const isOfBrowser = (name: string): boolean => name.toLowerCase() === 'content-length';

/** Sends a part and reports its bytes as they go, which `fetch` cannot. Throws `UploadError`. */
export const putPart = async (
  source: BrowserSource,
  { url, offset, size }: Target,
  headers: Readonly<Record<string, string>>,
  { onBytes, signal }: { readonly onBytes: (count: number) => void; readonly signal: AbortSignal },
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const request = new XMLHttpRequest();
  const failed = (reason: string) => () => {
    reject(new UploadError(`The upload got no answer: ${reason}`));
  };
  let sent = 0;
  let idle = setTimeout(() => undefined);
  const stillGoing = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      request.abort();
    }, IDLE_MS);
  };
  const onAbort = (): void => {
    request.abort();
  };
  request.upload.onprogress = ({ loaded }) => {
    stillGoing();
    onBytes(loaded - sent);
    sent = loaded;
  };
  request.onload = () => {
    resolve(undefined);
  };
  request.onerror = failed('the connection broke.');
  request.onabort = failed('the connection was idle for a minute.');
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers))
      if (!isOfBrowser(name)) request.setRequestHeader(name, value);
    stillGoing();
    request.send(source.range(offset, size));
    await promise;
    refuse(request.status, request.responseText);
    onBytes(size - sent);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', onAbort);
  }
};
