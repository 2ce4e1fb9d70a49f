/** Compressed text: a long text that is the same for everybody, gzipped for the clients that accept that. */
import { gzipSync } from 'node:zlib';
import type { ApiAnswer, PublicRequest } from './api-types.ts';

/** A text, gzipped and plain. */
export interface CompressedText {
  readonly gzipped: Uint8Array;
  plain(): string;
}

/** Compresses a text. This takes some milliseconds: do it once, not for each request. */
export const compressed = (text: string): CompressedText => ({
  gzipped: gzipSync(text),
  plain: () => text,
});

/** Answers with a text, gzipped if the request accepts gzip. */
export const compressedAnswer = (
  text: CompressedText,
  { headers: asked }: Pick<PublicRequest, 'headers'>,
  headers: NonNullable<ApiAnswer['headers']>,
): ApiAnswer => {
  const varying = { ...headers, vary: 'accept-encoding' };
  return acceptsGzip(asked['accept-encoding'])
    ? { status: 200, body: text.gzipped, headers: { ...varying, 'content-encoding': 'gzip' } }
    : { status: 200, body: text.plain(), headers: varying };
};

/**
 * Whether `Accept-Encoding` accepts gzip at least as gladly as the plain text (RFC 9110, section 12.5.3). `*` stands for
 * codings that are not named. A weight that is no number refuses its coding.
 */
export const acceptsGzip = (header = ''): boolean => {
  const weights = new Map(header.toLowerCase().split(',').map(weighted));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
};

const weighted = (element: string): readonly [coding: string, weight: number] => {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight)];
};
