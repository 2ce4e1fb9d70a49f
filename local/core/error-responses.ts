/** Error responses: the codes and formats in which each AWS service refuses a call. */
import type { AwsResponse } from './types.ts';
import { jsonError } from './json-protocol.ts';
import { ServiceError } from './service-error.ts';

type Refusal = readonly [code: string, status: number];

/** The codes with which a service answers errors of the gateway, and the status of each. */
interface Dialect {
  readonly denied: Refusal;
  readonly throttled: readonly [Refusal, ...Refusal[]];
  readonly failed: string;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  dynamodb: {
    denied: ['AccessDeniedException', 400],
    // Limits of the table, of the account's requests, and of the whole request at the edge.
    throttled: [
      ['ProvisionedThroughputExceededException', 400],
      ['RequestLimitExceeded', 400],
      ['ThrottlingException', 400],
    ],
    failed: 'InternalServerError',
  },
  s3: { denied: ['AccessDenied', 403], throttled: [['SlowDown', 503]], failed: 'InternalError' },
  sqs: { denied: ['AccessDenied', 403], throttled: [['RequestThrottled', 403]], failed: 'InternalFailure' },
  kms: {
    denied: ['AccessDeniedException', 400],
    throttled: [['ThrottlingException', 400]],
    failed: 'KMSInternalException',
  },
  states: {
    denied: ['AccessDeniedException', 400],
    throttled: [['ThrottlingException', 400]],
    failed: 'InternalFailure',
  },
  lambda: {
    denied: ['AccessDeniedException', 403],
    throttled: [['TooManyRequestsException', 429]],
    failed: 'ServiceException',
  },
  sts: { denied: ['AccessDenied', 403], throttled: [['Throttling', 400]], failed: 'InternalFailure' },
};

/** SES v2, Scheduler and other services with a REST JSON protocol. */
const REST: Dialect = {
  denied: ['AccessDeniedException', 403],
  throttled: [['TooManyRequestsException', 429]],
  failed: 'InternalServerException',
};

const dialectOf = (service: string): Dialect => DIALECTS[service] ?? REST;

/** The access denial of a service. */
export const deniedError = (service: string, message: string): ServiceError =>
  new ServiceError(dialectOf(service).denied[0], message, dialectOf(service).denied[1]);

/** The throttling error of a service. `random`, from 0 to 1, chooses among the codes of the service. */
export const throttledError = (service: string, random: number): ServiceError => {
  const { throttled } = dialectOf(service);
  const [code, status] = throttled[Math.floor(random * throttled.length)] ?? throttled[0];
  return new ServiceError(code, 'Rate exceeded', status);
};

/** The internal error of a service. */
export const failedError = (service: string): ServiceError =>
  new ServiceError(dialectOf(service).failed, 'We encountered an internal error. Please try again.', 500);

/** Writes an error in the protocol of the service: XML for S3 and STS, JSON for the others. */
export const errorResponse = (service: string, error: ServiceError): AwsResponse => {
  if (service === 's3') return xmlError(error);
  if (service === 'sts') return queryError(error);
  const response = jsonError(error);
  if (service !== 'sqs') return response;
  const fault = error.status >= 500 ? 'Receiver' : 'Sender';
  return { ...response, headers: { ...response.headers, 'x-amzn-query-error': `${error.code};${fault}` } };
};

/** An S3 error document. */
const xmlError = (error: ServiceError): AwsResponse =>
  xmlDocument(
    error,
    `<Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message></Error>`,
  );

/** An error document of the Query protocol, which STS speaks. */
const queryError = (error: ServiceError): AwsResponse => {
  const type = error.status >= 500 ? 'Receiver' : 'Sender';
  const inner = `<Type>${type}</Type><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message>`;
  return xmlDocument(error, `<ErrorResponse><Error>${inner}</Error></ErrorResponse>`);
};

const xmlDocument = ({ status, headers }: ServiceError, root: string): AwsResponse => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`,
});

/** Escapes text for an XML element. Control characters become references, as in S3's answers. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\u0000-\u0008\u000b-\u001f]/g, (mark) => `&#${mark.charCodeAt(0)};`);
