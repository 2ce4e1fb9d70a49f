/** What web pages of other origins may do: the preflights of S3, and the headers of its answers to pages. */
import { request } from 'node:http';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, describe, expect, it } from 'vitest';
import type { CorsRule } from '../../services/s3/cors.ts';
import { ACCOUNT } from '../../core/arn.ts';
import { Bucket, startS3 } from './bucket.ts';
import { clientOf } from './cloud.ts';

const { s3, gateway, stop } = await startS3();
afterAll(stop);
const client = new S3Client({
  ...clientOf(gateway),
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
});

const uploads: CorsRule = {
  origins: ['*'],
  methods: ['PUT'],
  headers: ['*'],
  exposed: ['ETag'],
  maxAge: 3_600,
};
const partners: CorsRule = {
  origins: ['https://*.example.org'],
  methods: ['GET', 'HEAD'],
  headers: ['Content-*', 'X-Amz-Date'],
  exposed: [],
};
s3.createBucket('open', { account: ACCOUNT, cors: [partners, uploads] });

const origin = 'https://console.example.net';
const partner = 'https://shop.example.org';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request as a browser does. `fetch` would refuse some of the headers. */
const send = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    asked.on('error', reject).end(body);
  });

const ask = (path: string, headers: Readonly<Record<string, string>>) =>
  send(`${gateway.url}${path}`, 'OPTIONS', headers);
const allowed = ({ headers }: Answer) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
const vary = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';
const toAnyone = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT',
  'access-control-expose-headers': 'ETag',
  'access-control-max-age': '3600',
  vary,
};

describe('a preflight', () => {
  it('needs no signature, and is answered by the first rule that fits', async () => {
    const wanted = {
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'If-None-Match',
    };
    const answer = await ask('/open/a.csv?X-Amz-Signature=x', { origin, ...wanted });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(allowed(answer)).toEqual({ ...toAnyone, 'access-control-allow-headers': 'if-none-match' });
    const read = await ask('/open/a.csv', {
      origin: partner,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'content-type, x-amz-date',
    });
    expect(allowed(read)).toEqual({
      'access-control-allow-origin': partner,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'content-type, x-amz-date',
      'access-control-allow-credentials': 'true',
      vary,
    });
  });

  const put = { origin, 'access-control-request-method': 'PUT' };
  const get = { origin: partner, 'access-control-request-method': 'GET' };
  it.each([
    [
      'without an origin',
      '/open/a',
      { 'access-control-request-method': 'PUT' },
      400,
      'Origin request header',
    ],
    ['without a method', '/open/a', { origin }, 400, 'Invalid Access-Control-Request-Method: null'],
    ['for an unknown method', '/open/a', { ...put, 'access-control-request-method': 'PATCH' }, 400, 'PATCH'],
    [
      'for another method',
      '/open/a',
      { ...put, 'access-control-request-method': 'DELETE' },
      403,
      'not allowed',
    ],
    ['of another origin', '/open/a', { ...get, origin: 'https://example.org' }, 403, 'not allowed'],
    ['of a longer origin', '/open/a', { ...get, origin: `${partner}.net` }, 403, 'not allowed'],
    [
      'with other headers',
      '/open/a',
      { ...get, 'access-control-request-headers': 'x-a' },
      403,
      'not allowed',
    ],
    ['to a bucket without rules', `/${Bucket}/a`, put, 403, 'CORS is not enabled for this bucket'],
    ['to no bucket', '/none/a', put, 403, 'Bucket not found'],
    ['to another service', '/', put, 403, 'Bucket not found'],
  ])('%s is refused', async (_, path, headers, status, message) => {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
    if (status === 403) expect(answer.text).toContain('<Code>AccessForbidden</Code>');
    expect(allowed(answer)).not.toHaveProperty('access-control-allow-methods');
  });
});

describe('the answer to a page', () => {
  const addressOf = (bucket: string) =>
    getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: 'a.csv' }), { expiresIn: 60 });

  it('says what the page may read, also when it is a refusal', async () => {
    const address = await addressOf('open');
    const stored = await send(address, 'PUT', { origin }, 'x');
    expect([stored.status, allowed(stored)]).toEqual([200, toAnyone]);
    const refused = await send(address.replace('a.csv', 'b.csv'), 'PUT', { origin }, 'x');
    expect([refused.status, allowed(refused)]).toEqual([403, toAnyone]);
    expect(refused.text).toContain('SignatureDoesNotMatch');
  });

  it('says nothing where no rule fits, and to other programs', async () => {
    expect(allowed(await send(await addressOf(Bucket), 'PUT', { origin }, 'x'))).toEqual({});
    expect(allowed(await send(await addressOf('open'), 'PUT', {}, 'x'))).toEqual({});
    const get = new GetObjectCommand({ Bucket: 'open', Key: 'a.csv' });
    const read = await send(await getSignedUrl(client, get, { expiresIn: 60 }), 'GET', { origin });
    expect([read.status, read.text, allowed(read)]).toEqual([200, 'x', {}]);
  });

  it('lets a page call nothing without a signature', async () => {
    const answer = await send(`${gateway.url}/open/a.csv`, 'PUT', { origin }, 'x');
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
  });
});
