import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStatus, isThrottle } from '../../shared/runtime/aws-errors.ts';
import { errorFacts } from '../../shared/runtime/log.ts';
import { objectsOf, type ObjectCalls } from '../../shared/runtime/s3-objects.ts';
import { readObject } from '../../shared/runtime/s3-read.ts';
import { s3At } from '../support/s3-client.ts';
import { answeringServer, type AnsweringServer } from './answering-server.ts';

let server: AnsweringServer;
let objects: ObjectCalls;

beforeEach(async () => {
  server = await answeringServer();
  objects = objectsOf(s3At(server.url), 'bucket');
});
afterEach(() => server[Symbol.asyncDispose]());

/** CRC-32 of a text, as S3 writes it. */
const sumOf = (text: string): string => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(text));
  return sum.toString('base64');
};
const whole = async (): Promise<string> => Buffer.from((await objects.get('k')) ?? []).toString();
const streamed = async (from?: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  const wanted = { etag: '"e"', ...(from === undefined ? {} : { from }) };
  for await (const chunk of readObject((range) => objects.open('k', range), wanted)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('an object of S3', () => {
  it('goes with its length and its checksum, signed with the hash of its bytes', async () => {
    server.answers = [{ body: '', headers: { etag: '"e"' } }];
    const stored = await objects.put('a b/ü', Buffer.from('hello'), { contentType: 'text/plain' });
    expect(stored).toEqual({ size: 5, etag: '"e"' });
    const [{ request, body } = { request: undefined, body: '' }] = server.seen;
    expect(body.toString()).toBe('hello');
    expect([request?.method, request?.url]).toEqual(['PUT', '/bucket/a%20b/%C3%BC?x-id=PutObject']);
    expect(request?.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '5',
      'x-amz-checksum-crc32': 'NhCmhg==',
      'x-amz-content-sha256': '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    });
  });

  it.each([
    ['comes whole', 'NhCmhg=='],
    ['that was stored in parts has a checksum of checksums, which says nothing here', 'AAAAAA==-2'],
  ])('%s', async (_, sum) => {
    const answer = { body: 'hello', headers: { 'x-amz-checksum-crc32': sum } };
    server.answers = [answer, answer];
    expect([await whole(), await streamed()]).toEqual(['hello', 'hello']);
    expect(server.seen.map(({ request }) => request.headers['x-amz-checksum-mode'])).toEqual([
      'ENABLED',
      'ENABLED',
    ]);
  });

  // 'NhCmhg==' is the CRC-32 of "hello". S3 computes the other checksum for files that clients upload without any.
  it.each([
    ['x-amz-checksum-crc32', 'NhCmhg=='],
    ['x-amz-checksum-crc64nvme', 'M3eFcAZSQlc='],
  ])('with other bytes than its %s is refused, whole and as a stream', async (name, sum) => {
    const answer = { headers: { [name]: sum } };
    server.answers = [{ ...answer, body: 'hello' }];
    expect(await streamed()).toBe('hello');
    const wrong = { ...answer, body: 'hullo' };
    server.answers = [wrong, wrong];
    await expect(whole()).rejects.toThrow('Checksum mismatch');
    await expect(streamed()).rejects.toThrow('Checksum mismatch');
    expect(server.seen).toHaveLength(3);
  });

  it('whose long stream has other bytes is refused, although its last bytes were not given out', async () => {
    const text = 'a'.repeat(1_000_000);
    server.answers = [{ body: `b${text.slice(1)}`, headers: { 'x-amz-checksum-crc32': sumOf(text) } }];
    await expect(streamed()).rejects.toThrow('Checksum mismatch');
    expect(server.seen).toHaveLength(1);
  });

  it('whose answer breaks is read again, whole or behind the last byte', async () => {
    const headers = { 'x-amz-checksum-crc32': 'NhCmhg==' };
    const broken = { body: 'hello', headers, breaks: true };
    server.answers = [broken, { body: 'hello', headers }];
    expect(await whole()).toBe('hello');
    server.answers = [broken, { status: 206, body: 'ello' }];
    expect(await streamed()).toBe('hello');
    expect(server.seen.map(({ request }) => request.headers.range)).toEqual([
      undefined,
      undefined,
      undefined,
      'bytes=1-4',
    ]);
  });

  it('that S3 does not give throws the error that the answer names, and a missing object is none', async () => {
    server.answers = [
      { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Not you.</Message></Error>' },
      { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' },
      { status: 404 },
    ];
    await expect(objects.get('k')).rejects.toMatchObject({ name: 'AccessDenied', message: 'Not you.' });
    expect(await objects.get('k')).toBeUndefined();
    expect(await objects.head('k')).toBeUndefined();
  });

  it('in a bucket that is gone is no missing object', async () => {
    server.answers = [{ status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }];
    await expect(objects.get('k')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it.each([
    [503, 'SlowDown'],
    [409, 'OperationAborted'],
    [400, 'KMS.ThrottlingException'],
  ])('is asked for again when S3 says %i %s', async (status, code) => {
    server.answers = [{ status, body: `<Error><Code>${code}</Code></Error>` }, { body: 'hello' }];
    expect(await whole()).toBe('hello');
    expect(server.seen).toHaveLength(2);
  });

  it('that is throttled to the end is told as a throttle', async () => {
    server.answers = Array.from({ length: 9 }, () => ({
      status: 503,
      body: '<Error><Code>SlowDown</Code></Error>',
    }));
    const error = await objects.head('k').catch((refusal: unknown) => refusal);
    expect([isStatus(error, 503), server.seen.length]).toEqual([true, 5]);
    const body = '<Error><Code>SlowDown</Code></Error>';
    server.answers = Array.from({ length: 9 }, () => ({ status: 503, body }));
    expect(isThrottle(await objects.get('k').catch((refusal: unknown) => refusal))).toBe(true);
  });

  it('that is refused is logged with both ids of the call', async () => {
    const headers = { 'x-amz-request-id': 'R2', 'x-amz-id-2': 'E2' };
    server.answers = [{ status: 403, headers, body: '<Error><Code>AccessDenied</Code></Error>' }];
    const error = await objects.get('k').catch((refusal: unknown) => refusal);
    expect(errorFacts(error).aws_request).toBe('R2 E2');
  });
});
