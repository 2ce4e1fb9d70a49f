/** One PUT of a part of a file to an address that the service signed. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { OpenSource } from './upload-source.ts';

/** The part of a file that goes to one address. */
export interface Target {
  readonly url: string;
  readonly offset: number;
  readonly size: number;
}

/**
 * The store of files refused a part, or did not take it.
 * @example
 * ```ts
 * try {
 *   await tidemark.uploadFile({ importId: 1001000000001, file: 'visitors.csv' });
 * } catch (error) {
 *   if (error instanceof UploadError) console.log(error.status, error.message);
 *   else throw error;
 * }
 * ```
 * @public
 */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /** The HTTP status, if an answer came. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
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
    // 412: an earlier attempt, whose answer was lost, has stored the file.
    if (answer.statusCode !== 200 && answer.statusCode !== 412) {
      throw new UploadError(
        `The upload answered ${answer.statusCode}: ${reasonIn(message)}`,
        answer.statusCode,
      );
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (error instanceof UploadError) throw error;
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UploadError(`The upload got no answer: ${reason}`, undefined, error);
  }
};

/** The code and the sentence of an error of S3. Its other elements may contain the signature of the address. */
const reasonIn = (xml: string): string => {
  const [code, message] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)</`).exec(xml)?.[1]);
  return [code, message].filter(Boolean).join(': ').slice(0, 500) || 'no reason';
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
