/**
 * S3 object store: implements the `ObjectStore` and `PartUploads` ports. The client of the SDK is loaded at the first call
 * that needs it, so most functions start without it.
 */
import { buildQueryString, extendedEncodeURIComponent } from '@smithy/core/protocols';
import { addressOf, credentialsFromEnv, regionFromEnv } from './aws-environment.ts';
import type { ObjectStore, PartUploads } from './ports.ts';
import { objectsOf } from './s3-objects.ts';
import { partUploadsOf } from './s3-part-uploads.ts';
import { readObject } from './s3-read.ts';
import { ownS3 } from './s3-sdk.ts';
import { httpRequest, signerOf } from './signed-service.ts';

/** The bucket of this name. */
export const objectStore = (bucket: string): ObjectStore => {
  const objects = async () => objectsOf(await ownS3(), bucket);
  return {
    put: async (...call) => (await objects()).put(...call),
    putStream: async (...call) => (await objects()).putStream(...call),
    head: async (key) => (await objects()).head(key),
    list: async (folder) => (await objects()).list(folder),
    listAfter: async (folder, after) => (await objects()).listAfter(folder, after),
    remove: async (key) => (await objects()).remove(key),
    removeVersion: async (...call) => (await objects()).removeVersion(...call),
    get: async (key) => (await objects()).get(key),
    read: (key, wanted) => readObject(async (range) => (await objects()).open(key, range), wanted),
    presignPut: async (key, { seconds, size }) => {
      // S3 refuses a second PUT.
      const headers = { 'content-length': String(size), 'if-none-match': '*' };
      return { url: await presignedAddress({ method: 'PUT', bucket, key, headers, seconds }), headers };
    },
    presignGet: (key, { seconds, fileName }) => {
      const names = `filename="${asciiName(fileName)}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
      const query = { 'response-content-disposition': `attachment; ${names}` };
      return presignedAddress({ method: 'GET', bucket, key, query, seconds });
    },
  };
};

/** Multipart uploads to the bucket of this name. */
export const partUploads = (bucket: string): PartUploads => {
  const uploads = async () => partUploadsOf(await ownS3(), bucket);
  return {
    begin: async (...call) => (await uploads()).begin(...call),
    presign: (key, { upload, part, size, seconds }) => {
      const query = { partNumber: String(part), uploadId: upload };
      const headers = { 'content-length': String(size) };
      return presignedAddress({ method: 'PUT', bucket, key, query, headers, seconds });
    },
    put: async (...call) => (await uploads()).put(...call),
    list: async (...call) => (await uploads()).list(...call),
    complete: async (...call) => (await uploads()).complete(...call),
    abort: async (...call) => (await uploads()).abort(...call),
  };
};

const asciiName = (fileName: string): string => fileName.replace(/[^\w. -]/g, '_');

const s3Names = { variable: 'S3', name: 's3' } as const;

/** The path of an object: path-style addresses are valid in every region, and need no wildcard DNS. */
export const objectPath = (bucket: string, key: string): string =>
  [bucket, ...key.split('/')].map((part) => `/${extendedEncodeURIComponent(part)}`).join('');

/** A request that somebody else will send. */
interface Presigned {
  readonly method: 'GET' | 'PUT';
  readonly bucket: string;
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that the sender must send as they are. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the address is valid. */
  readonly seconds: number;
}

/** The address of a bucket, with a slash at its end: what signed addresses of its objects begin with. */
export const bucketAddress = async (bucket: string): Promise<string> =>
  `${new URL(addressOf(s3Names, await regionFromEnv())).origin}${objectPath(bucket, '')}`;

/**
 * The address of a request that is signed for the role of the function: by the signer of the SDK, without its client, which
 * takes 40 ms of a cold start.
 */
const presignedAddress = async (request: Presigned): Promise<string> => {
  const { method, bucket, key, query = {}, headers = {}, seconds } = request;
  const region = await regionFromEnv();
  const address = new URL(addressOf(s3Names, region));
  // The signature does not cover the body, which is not known yet.
  const signable = { ...headers, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' };
  const unsigned = httpRequest(address, {
    method,
    path: objectPath(bucket, key),
    query,
    headers: signable,
  });
  const signer = signerOf(s3Names.name, region, await credentialsFromEnv());
  const signed = await signer.presign(unsigned, {
    expiresIn: seconds,
    signableHeaders: new Set(['host', ...Object.keys(headers)]),
  });
  return `${address.origin}${signed.path}?${buildQueryString(signed.query ?? {})}`;
};
