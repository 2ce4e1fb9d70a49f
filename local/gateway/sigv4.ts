/** Signature Version 4: reads credentials, and verifies presigned URLs and signed headers. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The parts of a credential: `AKIA…/20260801/eu-west-1/s3/aws4_request`. */
export interface Credential {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** A signed request. `target` is the path and query, still encoded. */
export interface SignedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The results of the check of a presigned URL. */
export type PresignVerdict = 'valid' | 'malformed' | 'unsigned-header' | 'expired' | 'early' | 'mismatch';

/** Longest validity of a presigned URL: seven days (SigV4). */
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600;

/** Largest clock skew: 15 minutes (SigV4). */
const MAX_SKEW_MS = 15 * 60 * 1000;

/** Parses a credential; undefined for other texts. */
export const parseCredential = (text: string | null | undefined): Credential | undefined => {
  const match = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/.exec(text ?? '');
  const [, accessKeyId, date, region, service] = match ?? [];
  return accessKeyId && date && region && service ? { accessKeyId, date, region, service } : undefined;
};

/** The credential in the Authorization header; undefined without one. */
export const headerCredential = (authorization: string | undefined): Credential | undefined =>
  parseCredential(/^AWS4-HMAC-SHA256 .*?Credential=([^,\s]+)/.exec(authorization ?? '')?.[1]);

/** Checks the signature and expiry of a presigned request with the secret of its signer. */
export const verifyPresigned = (request: SignedRequest, secret: string, now: Date): PresignVerdict => {
  const [path = '', search = ''] = request.target.split('?', 2);
  const query = new URLSearchParams(search);
  const credential = parseCredential(query.get('X-Amz-Credential'));
  const signed = signingTime(query.get('X-Amz-Date') ?? '');
  const expires = Number(query.get('X-Amz-Expires'));
  const lasts = expires >= 1 && expires <= MAX_EXPIRES_SECONDS;
  if (!credential || signed === undefined || !lasts) return 'malformed';
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return 'malformed';
  if (hasUnsignedHeader(request, query)) return 'unsigned-header';
  const signature = sign(request, {
    path: path.split('/').map(reencode).join('/'),
    query,
    credential,
    secret,
    names: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    time: query.get('X-Amz-Date') ?? '',
    payload:
      query.get('X-Amz-Content-Sha256') ?? request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  });
  if (!sameText(signature, query.get('X-Amz-Signature') ?? '')) return 'mismatch';
  if (now.getTime() < signed - MAX_SKEW_MS) return 'early';
  return now.getTime() > signed + expires * 1000 ? 'expired' : 'valid';
};

/**
 * Whether the Authorization header of a request is signed with a secret. `body` is the body if it is no stream: S3 states
 * the hash of a body in a header. The age of a signature does not count: whoever could repeat a request of this machine
 * could read its secrets.
 */
export const isSigned = (request: SignedRequest, secret: string, body: Buffer | undefined): boolean => {
  const { authorization = '' } = request.headers;
  const credential = headerCredential(authorization);
  const [, names = ''] = /SignedHeaders=([^,\s]+)/.exec(authorization) ?? [];
  const [, given = ''] = /Signature=([0-9a-f]+)/.exec(authorization) ?? [];
  if (!credential) return false;
  const [path = '', search = ''] = request.target.split('?', 2);
  const payload =
    request.headers['x-amz-content-sha256'] ??
    createHash('sha256')
      .update(body ?? '')
      .digest('hex');
  const signature = sign(request, {
    path: path
      .split('/')
      .map(credential.service === 's3' ? reencode : encode)
      .join('/'),
    query: new URLSearchParams(search),
    credential,
    secret,
    names: names.split(';'),
    time: request.headers['x-amz-date'] ?? '',
    payload,
  });
  return sameText(signature, given);
};

/** The holder of a URL must not change the call by adding an S3 header (a copy, an ACL, …). */
const hasUnsignedHeader = ({ headers }: SignedRequest, query: URLSearchParams): boolean => {
  const signed = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  return Object.keys(headers).some((name) => name.startsWith('x-amz-') && !signed.includes(name));
};

/** Milliseconds of `20260801T123456Z`. */
const signingTime = (text: string): number | undefined => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
};

interface Signing {
  /** The path in its canonical form. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly credential: Credential;
  readonly secret: string;
  /** The names of the signed headers. */
  readonly names: readonly string[];
  readonly time: string;
  /** The hash of the body, or what stands for it. */
  readonly payload: string;
}

const sign = (request: SignedRequest, signing: Signing): string => {
  const { path, query, credential, secret, names, time, payload } = signing;
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    payload,
  ].join('\n');
  const { date, region, service } = credential;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', time, scope, digest].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex');
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** SigV4 encodes everything except unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const reencode = (segment: string): string => {
  try {
    return encode(decodeURIComponent(segment));
  } catch {
    return segment;
  }
};

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, one], [b, other]) => order(a, b) || order(one, other))
    .map((pair) => pair.join('='))
    .join('&');

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

const sameText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
