import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/src/webhooks.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const body = JSON.stringify({ type: 'export.completed', rows: 3, name: 'Zürich – „Jazz“' });
const now = Date.UTC(2026, 10, 23, 9);

const headersOf = (text: string, by = secret, at = now, id = 'msg-1'): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(by).sign(id, new Date(at), text),
});

const signature = headersOf(body)['webhook-signature'] ?? '';

describe('a webhook', () => {
  test.each([
    ['text', body],
    ['bytes', new Uint8Array(Buffer.from(body))],
  ])('signed by the reference library is accepted as %s', async (_, received) => {
    expect(await verifyWebhook({ secret, headers: headersOf(body), body: received, now })).toEqual({
      id: 'msg-1',
      timestamp: new Date(now),
      event: { type: 'export.completed', rows: 3, name: 'Zürich – „Jazz“' },
    });
  });

  test('is accepted by exactly the keys and bodies that the reference library accepts', async () => {
    const keys = fc.constantFrom(secret, other);
    const texts = fc
      .record({ type: fc.string(), value: fc.string({ unit: 'binary' }) })
      .map((x) => JSON.stringify(x));
    const changes = fc.constantFrom('', ' ');
    await fc.assert(
      fc.asyncProperty(keys, keys, texts, changes, async (signer, verifier, text, change) => {
        const seconds = Math.floor(Date.now() / 1000) * 1000;
        const headers = headersOf(text, signer, seconds);
        const received = `${text}${change}`;
        let theirs = true;
        try {
          new Webhook(verifier).verify(received, headers);
        } catch {
          theirs = false;
        }
        const call = { secret: verifier, headers, body: received, now: seconds };
        expect(await isAccepted(call)).toBe(theirs);
      }),
      { numRuns: 100 },
    );
  });

  test('may be signed with one of several secrets, and carry several signatures', async () => {
    const old = headersOf(body, other)['webhook-signature'];
    const headers = headersOf(body);
    const both = { ...headers, 'webhook-signature': `v1a,xx ${old} ${headers['webhook-signature']}` };
    expect(await isAccepted({ secret, headers: both, body, now })).toBe(true);
    expect(await isAccepted({ secret: [other, secret], headers, body, now })).toBe(true);
  });

  test('is judged by its first ten signatures, because each check reads the whole body', async () => {
    const headers = headersOf(body);
    const bad = headersOf(body, other)['webhook-signature'] ?? '';
    const after = (before: number) => ({
      ...headers,
      'webhook-signature': [...Array<string>(before).fill(bad), headers['webhook-signature']].join(' '),
    });
    expect(await isAccepted({ secret, headers: after(9), body, now })).toBe(true);
    expect(await isAccepted({ secret, headers: after(10), body, now })).toBe(false);
  });

  test('is found in the headers of Node, of fetch, and in any case of letters', async () => {
    const headers = headersOf(body);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    // The Headers of a framework are another class.
    const foreign = { get: (name: string) => new Headers(headers).get(name) };
    for (const each of [headers, new Headers(headers), upper, foreign])
      expect(await isAccepted({ secret, headers: each, body, now })).toBe(true);
  });

  test('is refused when it is older or newer than the tolerance', async () => {
    const headers = headersOf(body);
    const verify = (shift: number, toleranceSeconds?: number): Promise<unknown> =>
      verifyWebhook({
        secret,
        headers,
        body,
        now: now + shift,
        ...(toleranceSeconds && { toleranceSeconds }),
      });
    await verify(300_000);
    await verify(-300_000);
    await expect(verify(301_000)).rejects.toMatchObject({ fault: 'timestamp' });
    await expect(verify(-301_000)).rejects.toMatchObject({ fault: 'timestamp' });
    await expect(verify(11_000, 10)).rejects.toMatchObject({ fault: 'timestamp' });
  });

  test.each([
    ['without an id', { 'webhook-id': undefined }, 'headers_missing'],
    ['without a signature', { 'webhook-signature': undefined }, 'headers_missing'],
    ['with a time that is no number', { 'webhook-timestamp': 'NaN' }, 'timestamp'],
    ['with another id', { 'webhook-id': 'msg-2' }, 'signature'],
    ['with another scheme', { 'webhook-signature': signature.replace('v1,', 'v2,') }, 'signature'],
    ['with a signature that is not base64', { 'webhook-signature': 'v1,%%%' }, 'signature'],
    ['with an empty signature', { 'webhook-signature': 'v1,' }, 'signature'],
  ])('%s is refused', async (_, change, fault) => {
    const headers = { ...headersOf(body), ...change };
    await expect(verifyWebhook({ secret, headers, body, now })).rejects.toMatchObject({ fault });
  });

  test('whose body is no event is refused, although its signature is valid', async () => {
    for (const text of ['[]', 'null', '{"type": 3}', '{'])
      await expect(
        verifyWebhook({ secret, headers: headersOf(text), body: text, now }),
      ).rejects.toMatchObject({
        fault: 'body',
      });
  });

  test('whose body a framework has parsed cannot be verified', async () => {
    const call = { secret, headers: headersOf(body), body, now };
    const parsed: unknown = JSON.parse(body);
    // A body of type `any`, as frameworks give it.
    await expect(verifyWebhook(Object.assign(call, { body: parsed }))).rejects.toThrow(
      'neither text nor bytes',
    );
  });

  test('cannot be verified with a secret that is not base64', async () => {
    for (const each of ['whsec_%%%', 'whsec_', ''])
      await expect(verifyWebhook({ secret: each, headers: headersOf(body), body, now })).rejects.toThrow(
        TypeError,
      );
  });
});

const isAccepted = (call: Parameters<typeof verifyWebhook>[0]): Promise<boolean> =>
  verifyWebhook(call).then(
    () => true,
    () => false,
  );
