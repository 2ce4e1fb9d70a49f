import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

/** A request of an AWS client by hand. */
interface SignedRequest {
  readonly service: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Signs a request with the signer of the SDK, and sends it. Headers of `after` are added behind the signature. */
export const signedFetch = async (
  address: string,
  { service, credentials, region = 'eu-west-1', method = 'GET', headers = {}, body }: SignedRequest,
  after: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  const url = new URL(address);
  const query: Record<string, string> = Object.fromEntries(url.searchParams);
  const request = new HttpRequest({
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    method,
    query,
    headers: { host: url.host, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const isS3 = service === 's3';
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: !isS3,
    applyChecksum: isS3,
  });
  const signed = await signer.sign(request);
  const sent = { ...signed.headers, ...after };
  return fetch(address, { method, headers: sent, ...(body === undefined ? {} : { body }) });
};
