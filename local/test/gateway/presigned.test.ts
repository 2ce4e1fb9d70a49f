import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, expect, it } from 'vitest';
import { Bucket, startS3 } from './bucket.ts';
import { addCaller, allow, clientOf } from './cloud.ts';
import { textLike } from '../support/text-like.ts';

const Key = 'in/a file (1)+ä&=.csv';
const { s3, gateway, stop } = await startS3();
afterAll(stop);
addCaller(gateway, 'uploader', [allow(['s3:PutObject'], [`arn:aws:s3:::${Bucket}/in/*`])]);

const clientFor = (name: string) =>
  new S3Client({
    ...clientOf(gateway, name),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });

const client = clientFor('tester');

const code = async (response: Response) => /<Code>(.*)<\/Code>/.exec(await response.text())?.[1];

it('a presigned URL uploads and downloads an object', async () => {
  const up = await getSignedUrl(clientFor('uploader'), new PutObjectCommand({ Bucket, Key }), {
    expiresIn: 60,
  });
  const put = await fetch(up, { method: 'PUT', body: 'name\nAnna\n' });
  expect([put.status, put.headers.get('etag')]).toEqual([200, textLike(/^"[0-9a-f]{32}"$/)]);
  const disposition = 'attachment; filename="a.csv"';
  const get = new GetObjectCommand({ Bucket, Key, ResponseContentDisposition: disposition });
  const down = await fetch(await getSignedUrl(client, get, { expiresIn: 60 }));
  expect(await down.text()).toBe('name\nAnna\n');
  expect(down.headers.get('content-disposition')).toBe(disposition);
});

it('a signed header must arrive as it was signed', async () => {
  const command = new PutObjectCommand({ Bucket, Key, ContentType: 'text/csv' });
  const url = await getSignedUrl(client, command, {
    expiresIn: 60,
    signableHeaders: new Set(['content-type']),
  });
  const put = (type: string) => fetch(url, { method: 'PUT', body: 'x', headers: { 'content-type': type } });
  expect((await put('text/csv')).status).toBe(200);
  expect(await code(await put('text/html'))).toBe('SignatureDoesNotMatch');
});

it('an expired URL is refused', async () => {
  const signingDate = new Date(Date.now() - 120_000);
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), {
    expiresIn: 60,
    signingDate,
  });
  const response = await fetch(url);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('Request has expired');
});

it.each([
  [
    'another key',
    (url: URL) => (url.pathname = url.pathname.replace('file', 'life')),
    'SignatureDoesNotMatch',
  ],
  ['a longer life', (url: URL) => url.searchParams.set('X-Amz-Expires', '3600'), 'SignatureDoesNotMatch'],
  [
    'another signature',
    (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64)),
    'SignatureDoesNotMatch',
  ],
  ['one parameter more', (url: URL) => url.searchParams.set('versionId', '1'), 'SignatureDoesNotMatch'],
  [
    'endless life',
    (url: URL) => url.searchParams.set('X-Amz-Expires', '9999999'),
    'AuthorizationQueryParametersError',
  ],
  ['no date', (url: URL) => url.searchParams.delete('X-Amz-Date'), 'AuthorizationQueryParametersError'],
])('a URL with %s is refused', async (_name, tamper, expected) => {
  const url = new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 }));
  tamper(url);
  expect(await code(await fetch(url))).toBe(expected);
});

it('a presigned URL for reading does not write', async () => {
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 });
  expect(await code(await fetch(url, { method: 'PUT', body: 'x' }))).toBe('SignatureDoesNotMatch');
});

it('a header of S3 must be signed', async () => {
  const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'copy' }), { expiresIn: 60 });
  const headers = { 'x-amz-copy-source': `${Bucket}/${encodeURIComponent(Key)}` };
  expect(await code(await fetch(url, { method: 'PUT', headers }))).toBe('AccessDenied');
});

it('a presigned URL allows no more than its signer may do', async () => {
  const elsewhere = new PutObjectCommand({ Bucket, Key: 'out/a.csv' });
  const url = await getSignedUrl(clientFor('uploader'), elsewhere, { expiresIn: 60 });
  const response = await fetch(url, { method: 'PUT', body: 'x' });
  expect(await response.text()).toContain(
    `perform: s3:PutObject on resource: arn:aws:s3:::${Bucket}/out/a.csv because`,
  );
});

it('a large body streams through a presigned URL', async () => {
  const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'large' }), { expiresIn: 60 });
  const body = Buffer.alloc(64 * 1024 * 1024, 'x');
  expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
  expect((await s3.get(Bucket, 'large'))?.length).toBe(body.length);
});
