import * as v from 'valibot';

/** An HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const scalar = v.union([v.string(), v.number(), v.boolean()]);
const Proxy = v.object({
  statusCode: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.toNumber())]),
    v.integer(),
    v.minValue(100),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), scalar), {}),
  cookies: v.nullish(v.array(v.string()), []),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
});
const HasStatus = v.looseObject({ statusCode: v.unknown() });

/** An error of API Gateway itself: `{"message": …}`. */
export const gatewayAnswer = (status: number, message: string): HttpResponse => ({
  status,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(JSON.stringify({ message })),
});

/** API Gateway's answer when a function failed or returned no valid response. */
export const integrationFailed = gatewayAnswer(500, 'Internal Server Error');

/**
 * Maps the result of a function (JSON) as payload format 2.0 does. With a `statusCode` it is a response, and a malformed
 * response becomes a 500. Other results become the JSON body of a 200.
 */
export const responseOf = (payload: string): HttpResponse => {
  const answer: unknown = JSON.parse(payload);
  if (!v.is(HasStatus, answer)) {
    const body = typeof answer === 'string' ? answer : payload;
    return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(body) };
  }
  const parsed = v.safeParse(Proxy, answer);
  if (!parsed.success) return integrationFailed;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.output;
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const typed = lines.some(([name]) => name === 'content-type') || body === '';
  return {
    status: statusCode,
    headers: [
      ...(typed ? [] : [['content-type', 'text/plain; charset=utf-8'] as const]),
      ...lines,
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
};
