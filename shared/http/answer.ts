/** HTTP answers: turns results, problems and views into answers for API Gateway. */
import type { ApiAnswer } from './api-types.ts';
import type { Problem } from './problem.ts';

/** The answer of a Lambda function to API Gateway, payload format 2.0. */
export interface GatewayAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether `body` is base64 of the bytes that the gateway sends. */
  readonly isBase64Encoded?: true;
}

/** Reason phrases. `node:http` has them too, but loading it adds 20 ms to a cold start. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const always = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Writes a success. Text and bytes are sent unchanged, under the content type of their headers. */
export const writeAnswer = (requestId: string, { status, body, headers }: ApiAnswer): GatewayAnswer => ({
  statusCode: status,
  headers: { ...always, ...headers, 'x-request-id': requestId },
  ...bodyOf(body),
});

const bodyOf = (body: unknown): Pick<GatewayAnswer, 'body' | 'isBase64Encoded'> => {
  if (body === undefined) return { body: '' };
  if (body instanceof Uint8Array)
    return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
};

/** Writes a problem as `application/problem+json`. */
export const writeProblem = (requestId: string, problem: Problem): GatewayAnswer => ({
  statusCode: problem.status,
  headers: {
    ...always,
    'content-type': 'application/problem+json',
    ...problem.headers,
    'x-request-id': requestId,
  },
  body: JSON.stringify({
    type: `urn:tidemark:problem:${problem.code}`,
    title: titles[problem.status] ?? 'Error',
    status: problem.status,
    code: problem.code,
    detail: problem.detail,
    request_id: requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
  }),
});
