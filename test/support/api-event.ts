/** The parts of a request that a test sets; the rest is as API Gateway sends it (payload format 2.0). */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text stays unchanged, bytes become base64, any other value JSON. */
  readonly body?: unknown;
  readonly sourceIp?: string;
}

/** An API Gateway event. A body brings its `content-type: application/json` unless the headers name another. */
export const apiEvent = ({ body, ...sent }: Sent): Readonly<Record<string, unknown>> => ({
  version: '2.0',
  rawPath: sent.path ?? '/',
  rawQueryString: sent.query ?? '',
  headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...sent.headers },
  ...(sent.parameters ? { pathParameters: sent.parameters } : {}),
  requestContext: {
    http: { method: sent.method ?? 'GET', path: sent.path ?? '/', sourceIp: sent.sourceIp ?? '192.0.2.1' },
  },
  ...bodyOf(body),
});

const bodyOf = (body: unknown): Readonly<Record<string, unknown>> => {
  if (body === undefined) return { isBase64Encoded: false };
  if (body instanceof Uint8Array)
    return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  return { body: typeof body === 'string' ? body : JSON.stringify(body), isBase64Encoded: false };
};
