import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemIds } from '../../shared/runtime/ids.ts';
import { newSecret, showSecret, signedHeaders } from '../../shared/webhooks/signature.ts';

describe('the signature of a webhook', () => {
  it('is that of the Standard Webhooks example', () => {
    const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const call = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', now: 1_614_265_330_999, body: '{"test": 2432232314}' };
    expect(signedHeaders(secret, call)).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Tidemark-Webhooks/1',
      'webhook-id': call.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('can be checked with the secret as it is shown, of 24 to 64 random bytes', () => {
    const secret = newSecret(systemIds);
    const shown = showSecret(secret);
    expect(shown).toMatch(/^whsec_[A-Za-z\d+/]+=*$/);
    const known = Buffer.from(shown.slice('whsec_'.length), 'base64');
    expect(known.length).toBeGreaterThanOrEqual(24);
    expect(known.length).toBeLessThanOrEqual(64);
    const headers = signedHeaders(secret, { id: 'm', now: 5_000, body: '{}' });
    const signature = createHmac('sha256', known).update('m.5.{}').digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(showSecret(newSecret(systemIds))).not.toBe(shown);
    const counted = { ...systemIds, hex: (bytes: number) => 'ab'.repeat(bytes) };
    expect(newSecret(counted)).toEqual(Buffer.alloc(32, 0xab));
  });
});
