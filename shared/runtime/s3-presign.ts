/** S3 presigned addresses: signed by the signer of the SDK, without its client, which takes 40 ms of a cold start. */
import { buildQueryString, extendedEncodeURIComponent } from '@smithy/core/protocols';
import { addressOf, credentialsFromEnv, regionFromEnv } from './aws-environment.ts';
import { signerOf } from './aws-signer.ts';
import { httpRequest } from './signed-service.ts';

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

/** The address of a request that is signed for the role of the function. */
export const presignedAddress = async (request: Presigned): Promise<string> => {
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
