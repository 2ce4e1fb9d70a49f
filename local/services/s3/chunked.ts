/** Chunked uploads: decodes bodies in S3's `aws-chunked` encoding. */
import { ServiceError } from '../../core/service-error.ts';

/** The trailing headers of an `aws-chunked` body, complete after the end of the body. */
export type Trailers = Map<string, string>;

/** The size line of a chunk: a hexadecimal number with an optional signature. */
const MAX_LINE_BYTES = 1024;

const malformed = (): ServiceError =>
  new ServiceError('IncompleteBody', 'The chunked body is malformed or cut short');

/**
 * Decodes `aws-chunked`: hexadecimal sizes before each chunk, trailers after the last chunk. Ignores the signatures.
 */
export async function* decodeChunked(
  source: AsyncIterable<unknown>,
  trailers: Trailers,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let state: 'size' | 'data' | 'gap' | 'trailer' | 'end' = 'size';
  for await (const piece of source) {
    if (!Buffer.isBuffer(piece)) throw malformed();
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length > 0) {
      if (state === 'data') {
        const taken = rest.subarray(0, left);
        rest = rest.subarray(taken.length);
        left -= taken.length;
        if (left === 0) state = 'gap';
        yield taken;
        continue;
      }
      const line = lineOf(rest);
      if (line === undefined) break;
      rest = rest.subarray(line.length + 2);
      if (state === 'size') {
        left = sizeOf(line);
        state = left === 0 ? 'trailer' : 'data';
      } else if (state === 'gap') {
        if (line !== '') throw malformed();
        state = 'size';
      } else if (line === '') {
        state = 'end';
      } else {
        addTrailer(trailers, line);
      }
    }
  }
  // The blank line after the trailers is optional.
  if (state !== 'end' && state !== 'trailer') throw malformed();
}

const lineOf = (bytes: Buffer): string | undefined => {
  const end = bytes.indexOf('\r\n');
  if (end > MAX_LINE_BYTES || (end < 0 && bytes.length > MAX_LINE_BYTES)) throw malformed();
  return end < 0 ? undefined : bytes.toString('latin1', 0, end);
};

const sizeOf = (line: string): number => {
  const size = /^([0-9a-f]{1,8})(;|$)/i.exec(line)?.[1];
  if (size === undefined) throw malformed();
  return parseInt(size, 16);
};

const addTrailer = (trailers: Trailers, line: string): void => {
  const colon = line.indexOf(':');
  if (colon < 0) throw malformed();
  trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
};
