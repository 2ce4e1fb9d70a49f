/** S3 calls: stores, reads and removes whole objects and ranges of objects. */
import { crc32 } from 'node:zlib';
import { extendedEncodeURIComponent } from '@smithy/core/protocols';
import { answerBytes, answerText } from './answer-body.ts';
import { AwsServiceError, isNamed, isStatus } from './aws-errors.ts';
import type { PresentObject } from './ports.ts';
import {
  metadataOf,
  signedService,
  type ServiceAnswer,
  type ServiceOptions,
  type ServiceRequest,
  type SignedService,
} from './signed-service.ts';

/** The path of an object: path-style addresses are valid in every region, and need no wildcard DNS. */
export const objectPath = (bucket: string, key: string): string =>
  [bucket, ...key.split('/')].map((part) => `/${extendedEncodeURIComponent(part)}`).join('');

/** Bytes `from`..`to` of an object (inclusive, to the end when absent) that still has the entity tag. */
export interface WantedRange {
  readonly etag: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The calls to one bucket. They throw `AwsServiceError` when S3 refuses, and the errors of the HTTP handler. */
export interface ObjectCalls {
  put(key: string, body: Uint8Array, contentType?: string): Promise<void>;
  /** `undefined` when there is no object. */
  head(key: string): Promise<PresentObject | undefined>;
  /** The whole object; `undefined` when there is none. Throws when it has another checksum than it was stored with. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Opens a stream of bytes. A stream may break at any place. */
  open(key: string, wanted: WantedRange): Promise<{ readonly body: unknown; readonly length: number }>;
  remove(key: string): Promise<void>;
  /** Closes kept connections. */
  destroy(): void;
}

/** The names of S3. */
export const s3Names = { variable: 'S3', name: 's3' } as const;

let shared: SignedService | undefined;

/** The calls to the bucket of this name; one service a process, unless options are given. */
export const objectCalls = (bucket: string, options?: ServiceOptions): ObjectCalls => {
  const service = options ? signedService(s3Names, options) : (shared ??= signedService(s3Names));
  const send = <T>(
    method: ServiceRequest['method'],
    key: string,
    request: { readonly headers?: ServiceRequest['headers']; readonly body?: Uint8Array },
    read: (answer: ServiceAnswer) => T | Promise<T>,
  ): Promise<T> =>
    service.send(
      { method, path: objectPath(bucket, key), headers: {}, ...request },
      async (answer, attempts) => {
        if (answer.statusCode >= 300) throw await refusalOf(answer, attempts);
        return read(answer);
      },
    );
  return {
    put: async (key, body, contentType) => {
      const type = contentType === undefined ? {} : { 'content-type': contentType };
      const sum = { 'x-amz-checksum-crc32': crcOf(body) };
      const headers = { ...type, ...sum, 'content-length': String(body.byteLength) };
      await send('PUT', key, { headers, body }, ({ body: answer }) => answerBytes(answer));
    },
    head: (key) => unlessMissing(send('HEAD', key, { headers: checked }, presentOf)),
    get: (key) => unlessMissing(send('GET', key, { headers: checked }, wholeOf)),
    open: (key, wanted) =>
      send('GET', key, { headers: { 'if-match': wanted.etag, ...rangeOf(wanted) } }, ({ headers, body }) => ({
        body,
        length: Number(headers['content-length'] ?? 0),
      })),
    remove: async (key) => {
      await send('DELETE', key, {}, ({ body }) => answerBytes(body));
    },
    destroy: () => service.destroy(),
  };
};

const rangeOf = ({ from = 0, to }: WantedRange): { readonly range?: string } =>
  from === 0 && to === undefined ? {} : { range: `bytes=${from}-${to ?? ''}` };

const crcOf = (body: Uint8Array): string => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString('base64');
};

/** Asks for the checksum with which an object is stored. */
const checked = { 'x-amz-checksum-mode': 'ENABLED' };

const wholeOf = async ({ headers, body }: ServiceAnswer): Promise<Uint8Array> => {
  const bytes = await answerBytes(body);
  const stored = headers['x-amz-checksum-crc32'];
  // The checksum of an upload in parts is a sum of sums.
  if (stored !== undefined && !stored.includes('-') && stored !== crcOf(bytes))
    throw new Error('s3: an object came with another checksum than it was stored with');
  return bytes;
};

const presentOf = ({ headers }: ServiceAnswer): PresentObject => {
  const { 'content-length': size, etag, 'last-modified': modified } = headers;
  if (size === undefined || etag === undefined || modified === undefined)
    throw new Error('s3: an answer came without length, tag or time');
  return { size: Number(size), etag, modified: Date.parse(modified), checksum: checksumOf(headers) };
};

/** S3 computes CRC64NVME for an object unless its sender declares another checksum. */
const algorithms = ['CRC64NVME', 'CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const;

const checksumOf = (headers: ServiceAnswer['headers']): string | null => {
  for (const algorithm of algorithms) {
    const value = headers[`x-amz-checksum-${algorithm.toLowerCase()}`];
    if (value !== undefined) return `${algorithm}:${value}`;
  }
  return null;
};

/** The error that an answer names in XML. An answer to HEAD has no body. */
const refusalOf = async (answer: ServiceAnswer, attempts: number): Promise<AwsServiceError> => {
  const text = await answerText(answer.body);
  const name = /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? 'UnknownError';
  const message = /<Message>([^<]+)<\/Message>/.exec(text)?.[1] ?? `status ${answer.statusCode}`;
  return new AwsServiceError(name, message, metadataOf(answer, attempts));
};

const unlessMissing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    // A bucket that is gone is no missing object. The answer to HEAD does not tell them apart.
    if (isStatus(error, 404) && !isNamed(error, 'NoSuchBucket')) return undefined;
    throw error;
  }
};
