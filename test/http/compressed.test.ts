import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeAnswer } from '../../shared/http/answer.ts';
import { acceptsGzip, compressed, compressedAnswer } from '../../shared/http/compressed.ts';

describe('a request', () => {
  it.each([
    ['gzip'],
    ['gzip, deflate, br, zstd'],
    ['GZIP;Q=0.5'],
    ['x-gzip'],
    ['*'],
    ['deflate ; q=1 , gzip ; q=0.001'],
    ['gzip;q=1.0, identity;q=0.5'],
    ['identity;q=0, gzip;q=0.2'],
  ])('with "accept-encoding: %s" accepts gzip', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  it.each([
    [undefined],
    [''],
    ['identity'],
    ['deflate, br'],
    ['gzip;q=0'],
    ['gzip;q=0.000'],
    ['gzip;q=0, *'],
    ['*;q=0'],
    ['identity, gzip;q=0.5'],
    ['gzip;q=much'],
    ['gzipped'],
  ])('with "accept-encoding: %s" gets the plain text', (header) => {
    expect(acceptsGzip(header)).toBe(false);
  });
});

it('a text goes out as base64 of its gzip, or plain, and caches learn what decides', () => {
  const text = compressed('Größe '.repeat(100));
  const answerTo = (headers: Readonly<Record<string, string>>) =>
    writeAnswer('r', compressedAnswer(text, { headers }, { 'content-type': 'text/plain' }));
  const gzipped = answerTo({ 'accept-encoding': 'gzip' });
  const plain = answerTo({});
  expect(gzipped).toMatchObject({
    isBase64Encoded: true,
    headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip', vary: 'accept-encoding' },
  });
  expect(gunzipSync(Buffer.from(gzipped.body, 'base64')).toString()).toBe(plain.body);
  expect(plain.body).toContain('Größe');
  expect(plain.headers['vary']).toBe('accept-encoding');
  expect(plain).not.toHaveProperty('isBase64Encoded');
  expect(plain.headers).not.toHaveProperty('content-encoding');
});
