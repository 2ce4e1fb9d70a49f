import * as v from 'valibot';
import { ServiceError } from './service-error.ts';
import type { AwsRequest, AwsResponse, Usage } from './types.ts';

const parsed = new WeakMap<AwsRequest, unknown>();

/** The JSON body of a request. The body is parsed only once. Throws SerializationException. */
export const jsonBody = (request: AwsRequest): unknown => {
  if (!parsed.has(request)) parsed.set(request, parseJson(request.body));
  return parsed.get(request);
};

const parseJson = (body: AwsRequest['body']): unknown => {
  if (!Buffer.isBuffer(body))
    throw new ServiceError('SerializationException', 'The body must not be a stream');
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('SerializationException', 'The request body is not JSON');
  }
};

/** An input in the form of a schema. Throws a ServiceError with this code for another input. */
export const inputAs = <T>(
  schema: v.GenericSchema<unknown, T>,
  input: unknown,
  code = 'ValidationException',
): T => {
  const result = v.safeParse(schema, input);
  if (!result.success) throw new ServiceError(code, v.summarize(result.issues));
  return result.output;
};

/** The operation of an awsJson request: `BatchGetItem` of `DynamoDB_20120810.BatchGetItem`. */
export const targetOperation = (request: AwsRequest): string =>
  request.headers['x-amz-target']?.split('.').at(-1) ?? '';

/** A JSON answer. `usage` goes to the meter. */
export const jsonResponse = (value: unknown, usage?: readonly Usage[], status = 200): AwsResponse => ({
  ...textResponse(JSON.stringify(value), usage),
  status,
});

/** An answer whose body is JSON already. `usage` goes to the meter. */
export const textResponse = (body: string | Buffer, usage?: readonly Usage[]): AwsResponse => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body,
  ...(usage === undefined ? {} : { usage }),
});

/** An error in the JSON protocols. The SDK reads the code from `__type` (awsJson) or from the header (restJson). */
export const jsonError = (error: ServiceError): AwsResponse => ({
  status: error.status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': error.code, ...error.headers },
  body: JSON.stringify({ __type: error.code, message: error.message, ...error.extra }),
});
