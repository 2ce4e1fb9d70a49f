/** Verifies calls of webhooks: the scheme of Standard Webhooks. Runs wherever WebCrypto does. */

import type { webhooks } from './generated/schema.ts';

/**
 * The headers of a request, in any of the usual forms.
 * @public
 */
export type WebhookHeaders =
  Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A call of a webhook, as it arrived.
 * @public
 */
export interface WebhookCall {
  /** The secret of the export or enricher (`whsec_…`). Give several while you replace one. */
  readonly secret: string | readonly string[];
  readonly headers: WebhookHeaders;
  /** The body as it arrived. A body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  /** Largest difference between the time of the call and your clock, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Your clock, in milliseconds. Default: the system's. */
  readonly now?: number;
}

/**
 * Why a call is not to be trusted.
 * @public
 */
export type WebhookFault = 'headers_missing' | 'timestamp' | 'signature' | 'body';

/**
 * The call does not come from the holder of the secret, or it is old. Answer 400, and do nothing else.
 * @example
 * ```ts
 * try {
 *   await verifyWebhook({ secret: 'whsec_…', headers: {}, body: '' });
 * } catch (error) {
 *   if (error instanceof WebhookError) console.log(error.fault); // headers_missing
 * }
 * ```
 * @public
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(SENTENCES[fault]);
    this.fault = fault;
  }
}

const SENTENCES: Readonly<Record<WebhookFault, string>> = {
  headers_missing: 'The call has no webhook-id, webhook-timestamp or webhook-signature.',
  timestamp: 'The time of the call is too far from the time of this machine.',
  signature: 'The signature is not valid for this secret and this body.',
  body: 'The body is not a JSON object with a type.',
};

/**
 * The event of a call. `id` is the same for all attempts of one delivery: use it to ignore repetitions.
 * @public
 */
export interface VerifiedWebhook {
  readonly id: string;
  readonly timestamp: Date;
  readonly event: WebhookEvent;
}

/**
 * The body of a call, as the API document describes it. `type` tells which call it is.
 * @public
 */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

const TOLERANCE_SECONDS = 300;
const VERSION = 'v1,';
/** Signatures of one call that are checked: each reads the whole body, and anybody can send many. */
const MOST_SIGNATURES = 10;

/**
 * Verifies the signature and the age of a call, and returns its event. Throws `WebhookError`, and `TypeError` for a
 * secret that is not base64 and for a body that is neither text nor bytes.
 * @example
 * ```ts
 * const receive = async (request: Request): Promise<Response> => {
 *   const body = await request.text();
 *   const { id, event } = await verifyWebhook({ secret: 'whsec_…', headers: request.headers, body });
 *   if (event.type === 'export.completed') console.log(id, event.rows, event.location);
 *   return new Response(null, { status: 204 });
 * };
 * ```
 * @public
 */
export const verifyWebhook = async (call: WebhookCall): Promise<VerifiedWebhook> => {
  const id = headerIn(call.headers, 'webhook-id');
  const timestamp = headerIn(call.headers, 'webhook-timestamp');
  const signatures = headerIn(call.headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookError('headers_missing');
  const { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = call;
  const isNear = Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isNear) throw new WebhookError('timestamp');
  // Without types, a framework's parsed body may come here.
  if (typeof call.body !== 'string' && !ArrayBuffer.isView(call.body))
    throw new TypeError('The body is neither text nor bytes. Give it as it arrived.');
  const body = typeof call.body === 'string' ? new TextEncoder().encode(call.body) : call.body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = typeof call.secret === 'string' ? [call.secret] : call.secret;
  const checks = secrets.map((secret) => isSigned(secret, signatures, signed));
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookError('signature');
  return { id, timestamp: new Date(Number(timestamp) * 1000), event: eventIn(body) };
};

const headerIn = (headers: WebhookHeaders, name: string): string | undefined => {
  // Not `instanceof`: the `Headers` of a framework may be another class.
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
};

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers.get === 'function';

/** Whether one of the signatures was made with the secret. WebCrypto compares in constant time. */
const isSigned = async (
  secret: string,
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('The webhook secret is not base64.');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const checks = signatures
    .split(' ')
    .filter((signature) => signature.startsWith(VERSION))
    .slice(0, MOST_SIGNATURES)
    .map(async (signature) => {
      const made = bytesOf(signature.slice(VERSION.length));
      return made !== undefined && (await crypto.subtle.verify('HMAC', key, made, signed));
    });
  return (await Promise.all(checks)).includes(true);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const concat = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
};

const eventIn = (body: Uint8Array): WebhookEvent => {
  const event = parsed(new TextDecoder().decode(body));
  if (!isEvent(event)) throw new WebhookError('body');
  return event;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
