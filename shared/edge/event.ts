import * as v from 'valibot';
import { ok, err, type Result } from '../runtime/result.ts';
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';

const text = v.optional(v.string(), '');

/** The part of an API Gateway event (payload format 2.0) that the service reads. */
const httpEvent = v.object({
  rawPath: text,
  rawQueryString: text,
  headers: v.optional(v.record(v.string(), v.optional(v.string())), {}),
  pathParameters: v.optional(v.record(v.string(), v.optional(v.string())), {}),
  body: v.optional(v.string()),
  isBase64Encoded: v.optional(v.boolean(), false),
  requestContext: v.object({
    requestId: v.optional(v.string()),
    http: v.object({ method: v.string(), sourceIp: text }),
  }),
});
export type HttpEvent = v.InferOutput<typeof httpEvent>;

/** Reads an event. Throws on an event that the gateway cannot have sent. */
export const parseEvent = (event: unknown): HttpEvent => v.parse(httpEvent, event);

/** Headers by lower-case name: API Gateway lower-cases them, other callers may not. */
export const headersOf = (event: HttpEvent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );

/** The path parameters that have a value. */
export const pathParametersOf = (event: HttpEvent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(event.pathParameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** Base64 as the gateway writes it: padded, no other characters. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of the body: 413 above the limit, 400 when the event announces base64 and the body is none. */
export const bodyBytes = (event: HttpEvent): Result<Buffer, Problem> => {
  const raw = event.body ?? '';
  const encodedLimit = Math.ceil(limits.http.bodyBytes / 3) * 4;
  if (event.isBase64Encoded && raw.length > encodedLimit) return err(tooLarge());
  if (event.isBase64Encoded && (raw.length % 4 !== 0 || !base64.test(raw)))
    return err(problems.badRequest('The body is not valid base64.'));
  const bytes = Buffer.from(raw, event.isBase64Encoded ? 'base64' : 'utf8');
  return bytes.byteLength > limits.http.bodyBytes ? err(tooLarge()) : ok(bytes);
};

const tooLarge = (): Problem => ({
  status: 413,
  code: 'too_large',
  detail: `A body may have at most ${limits.http.bodyBytes} bytes; send larger data by upload.`,
});
