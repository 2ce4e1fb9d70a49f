/** S3 presigned addresses: signed by the signer of the SDK, without its client, which takes 40 ms of a cold start. */
import { buildQueryString, HttpRequest } from '@smithy/core/protocols';
import { credentialsFromEnv, domainOf, endpointFromEnv, regionFromEnv } from './aws-environment.ts';
import { signerOf } from './aws-signer.ts';
import { objectPath } from './s3-calls.ts';

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
  const { protocol, hostname, port, host, origin } = new URL(
    endpointFromEnv('S3') ?? `https://s3.${region}.${domainOf(region)}`,
  );
  const unsigned = new HttpRequest({
    method,
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    path: objectPath(bucket, key),
    query: { ...query },
    // The signature does not cover the body, which is not known yet.
    headers: { ...headers, host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  });
  const signer = signerOf('s3', region, await credentialsFromEnv());
  const signed = await signer.presign(unsigned, {
    expiresIn: seconds,
    signableHeaders: new Set(['host', ...Object.keys(headers)]),
  });
  return `${origin}${signed.path}?${buildQueryString(signed.query ?? {})}`;
};
