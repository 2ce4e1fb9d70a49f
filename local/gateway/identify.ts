/** Identification: finds the caller and the service of a request from its signature. */
import type { AwsRequest, AwsService } from '../core/types.ts';
import { ServiceError } from '../core/service-error.ts';
import type { Callers, RegisteredCaller } from './callers.ts';
import {
  headerCredential,
  isSigned,
  parseCredential,
  verifyPresigned,
  type Credential,
  type PresignVerdict,
} from './sigv4.ts';

/** The head of a request from node:http. `target` is the path and query, still encoded. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

/** The caller and service of a request. */
export interface Identified {
  readonly caller: RegisteredCaller;
  readonly service: AwsService;
}

/**
 * Finds the caller and the service of a request by its signature, in the header or in the query of a presigned URL.
 * Verifies presigned URLs in full. Throws a 403 when the caller is unknown.
 */
export const identify = (
  head: RequestHead,
  callers: Callers,
  services: ReadonlyMap<string, AwsService>,
  now: Date,
): Identified => {
  const inHeader = headerCredential(head.headers['authorization']);
  const credential = inHeader ?? parseCredential(head.query.get('X-Amz-Credential'));
  if (!credential) throw unsigned(head);
  const caller = callers.find(credential.accessKeyId);
  if (!caller) throw unknownKey(credential);
  checkSession(caller, head, now);
  const service = services.get(credential.service);
  if (!service) throw new ServiceError('UnknownService', `No service ${credential.service} runs here`, 400);
  refuseBrowsers(head, service);
  if (!inHeader) refusePresigned(verifyPresigned(head, caller.secretAccessKey, now));
  return { caller, service };
};

/**
 * Throws a 403 for a request whose Authorization header the caller did not sign. The key id is no secret: each presigned
 * URL shows it.
 */
export const requireSignature = (
  head: RequestHead,
  { secretAccessKey }: RegisteredCaller,
  body: AwsRequest['body'],
): void => {
  if (headerCredential(head.headers['authorization']) === undefined) return;
  if (!isSigned(head, secretAccessKey, Buffer.isBuffer(body) ? body : undefined)) throw mismatch();
};

const mismatch = (): ServiceError =>
  new ServiceError(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided.',
    403,
  );

/** Refuses a call of a session without its token, and a call after the end of the session. */
const checkSession = ({ session }: RegisteredCaller, { headers }: RequestHead, now: Date): void => {
  if (!session) return;
  if (headers['x-amz-security-token'] !== session.token)
    throw new ServiceError('InvalidToken', 'The provided token is malformed or otherwise invalid.', 400);
  if (now.getTime() >= session.expires)
    throw new ServiceError('ExpiredToken', 'The provided token has expired.', 400);
};

/**
 * Refuses calls from web pages, because a page of any site can reach the loopback interface of this machine. Browsers
 * name the page in a header that no AWS client sends. Presigned URLs of S3 stay allowed: each is made for browsers too,
 * and opens one object by one method.
 */
const refuseBrowsers = ({ headers }: RequestHead, service: AwsService): void => {
  if (headers['origin'] === undefined || service.name === 's3') return;
  throw new ServiceError('AccessDenied', 'Web pages may not call this endpoint', 403);
};

/** The probable service of a request, for the format of the error when the request has no signature. */
export const guessService = (head: RequestHead): string =>
  headerCredential(head.headers['authorization'])?.service ?? (head.headers['x-amz-target'] ? 'json' : 's3');

const unsigned = (head: RequestHead): ServiceError =>
  guessService(head) === 's3'
    ? new ServiceError('AccessDenied', 'Access Denied', 403)
    : new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token', 403);

const unknownKey = (credential: Credential): ServiceError =>
  credential.service === 's3'
    ? new ServiceError(
        'InvalidAccessKeyId',
        'The AWS Access Key Id you provided does not exist in our records.',
        403,
      )
    : new ServiceError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
        403,
      );

const refusePresigned = (verdict: PresignVerdict): void => {
  switch (verdict) {
    case 'valid':
      return;
    case 'expired':
      throw new ServiceError('AccessDenied', 'Request has expired', 403);
    case 'early':
      throw new ServiceError('AccessDenied', 'Request is not valid yet', 403);
    case 'malformed':
      throw new ServiceError(
        'AuthorizationQueryParametersError',
        'The query parameters are not a valid signature.',
        400,
      );
    case 'unsigned-header':
      throw new ServiceError(
        'AccessDenied',
        'There were headers present in the request which were not signed',
        403,
      );
    case 'mismatch':
      throw mismatch();
  }
};
