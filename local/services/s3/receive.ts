/** Request bodies: receives uploads and XML documents, and verifies their length and checksums. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.ts';
import type { Blobs, WrittenBlob } from './blobs.ts';
import { declaredChecksum, startDigest } from './checksums.ts';
import { decodeChunked } from './chunked.ts';
import type { S3Request } from './requests.ts';

/** A received and verified body. `checksum` is the header of the answer when the caller declared a checksum. */
export interface Received {
  readonly blob: WrittenBlob;
  readonly checksum: Readonly<Record<string, string>>;
}

/** Writes the body of an upload to a blob, and verifies length, MD5, SHA-256 and checksum as declared. */
export const receive = async (blobs: Blobs, request: S3Request): Promise<Received> => {
  const { header } = request;
  const length = declaredLength(header);
  const declared = declaredChecksum(header);
  const signed = header('x-amz-content-sha256') ?? '';
  const isSigned = /^[0-9a-f]{64}$/.test(signed);
  const digest = declared && startDigest(declared.algorithm);
  const sha256 = isSigned ? startDigest('sha256') : undefined;
  const trailers = new Map<string, string>();
  const source = bodyOf(request, trailers);
  const blob = await blobs.write(
    source,
    [digest, sha256].filter((one) => one !== undefined),
  );
  const refuse = (code: string, message: string): never => {
    blobs.remove([blob]);
    throw new ServiceError(code, message);
  };
  if (blob.size !== length) {
    refuse(
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header',
    );
  }
  const md5 = header('content-md5');
  if (md5 !== undefined && md5 !== Buffer.from(blob.md5, 'hex').toString('base64'))
    refuse('BadDigest', 'The Content-MD5 you specified did not match what we received.');

  if (sha256 && sha256.digest() !== Buffer.from(signed, 'hex').toString('base64')) {
    refuse(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  if (!declared || !digest) return { blob, checksum: {} };
  const name = `x-amz-checksum-${declared.algorithm}`;
  const computed = digest.digest();
  if ((declared.value ?? trailers.get(name)) !== computed) {
    refuse(
      'BadDigest',
      `The ${declared.algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
    );
  }
  return { blob, checksum: { [name]: computed } };
};

type Header = S3Request['header'];

const declaredLength = (header: Header): number => {
  const length = header('x-amz-decoded-content-length') ?? header('content-length');
  if (length !== undefined && /^\d+$/.test(length)) return Number(length);
  throw new ServiceError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
};

const isChunked = (header: Header): boolean =>
  /\baws-chunked\b/.test(header('content-encoding') ?? '') ||
  (header('x-amz-content-sha256') ?? '').startsWith('STREAMING-');

const bodyOf = ({ body, header }: S3Request, trailers: Map<string, string>): AsyncIterable<unknown> => {
  const source = Buffer.isBuffer(body) ? Readable.from([body]) : body;
  return isChunked(header) ? decodeChunked(source, trailers) : source;
};

/** A document lists at most 10,000 parts or 1,000 keys, which need less than 2 MB. */
const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;

/** Reads a small XML body. Throws when the body is too large or its MD5 is wrong. */
export const receiveDocument = async (request: S3Request): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const piece of bodyOf(request, new Map())) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    if (size > MAX_DOCUMENT_BYTES)
      throw new ServiceError('MalformedXML', 'The XML you provided is too large');
    chunks.push(piece);
  }
  const bytes = Buffer.concat(chunks);
  const md5 = request.header('content-md5');
  if (md5 !== undefined && md5 !== createHash('md5').update(bytes).digest('base64'))
    throw new ServiceError('BadDigest', 'The Content-MD5 you specified did not match what we received.');

  return bytes.toString('utf8');
};
