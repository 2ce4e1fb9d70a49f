import { createHmac } from 'node:crypto';
import type { Ids } from '../runtime/ids.ts';

const PREFIX = 'whsec_';

/** Bytes of a webhook secret; Standard Webhooks demands 24 to 64. */
const SECRET_BYTES = 32;

/** A new signing secret. */
export const newSecret = (ids: Ids): Uint8Array => Buffer.from(ids.hex(SECRET_BYTES), 'hex');

/** A webhook secret in the form of Standard Webhooks: `whsec_` and the bytes in base64. */
export const showSecret = (secret: Uint8Array): string =>
  `${PREFIX}${Buffer.from(secret).toString('base64')}`;

/**
 * Headers of a call by the Standard Webhooks scheme: id, time in seconds, and `v1,` with the HMAC-SHA256 of
 * `id.timestamp.body` in base64.
 */
export const signedHeaders = (
  secret: Uint8Array,
  { id, now, body }: { id: string; now: number; body: string },
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tidemark-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};
