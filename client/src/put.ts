/** One PUT of a part of a file to an address that the service signed. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { refuse, UploadError } from './upload-error.ts';
import type { OpenSource } from './upload-source.ts';

/** The part of a file that goes to one address. */
export interface Target {
  readonly url: string;
  readonly offset: number;
  readonly size: number;
}

/** A connection over which nothing goes for this long is broken. */
const IDLE_MS = 60_000;

/**
 * Sends a part as a stream of known length. `fetch` cannot: it reports no progress, and sends a stream without its
 * length, which S3 refuses. Throws `UploadError`, or the error of the source.
 */
export const putPart = async (
  source: OpenSource,
  { url, offset, size }: Target,
  headers: Readonly<Record<string, string>>,
  { onBytes, signal }: { readonly onBytes: (count: number) => void; readonly signal: AbortSignal },
): Promise<void> => {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': size }, signal });
  sent.setTimeout(IDLE_MS, () => sent.destroy(new Error('The connection was idle for a minute.')));
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).on('error', reject);
  });
  let sourceError: Error | undefined;
  const bytes = counted(source.read(offset, size), onBytes, (error) => (sourceError = error));
  try {
    // A server that refuses need not read to the end. Its answer is the result.
    const [answer] = await Promise.all([
      answered,
      pipeline(Readable.from(bytes), sent).catch(() => undefined),
    ]);
    const message = await text(answer);
    refuse(answer.statusCode ?? 0, message);
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (error instanceof UploadError) throw error;
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UploadError(`The upload got no answer: ${reason}`, undefined, error);
  }
};

/** The bytes of a part, counted. `onError` gets the error of the source. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
  onError: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of bytes) {
      yield chunk;
      onBytes(chunk.length);
    }
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}
