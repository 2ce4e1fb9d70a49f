import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { decodeChunked } from '../../../services/s3/chunked.ts';

/** Decodes a body that arrives in pieces of `size` bytes. */
const decode = async (body: string, size = body.length) => {
  const bytes = Buffer.from(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const trailers = new Map<string, string>();
  const decoded = await Array.fromAsync(decodeChunked(Readable.from(pieces), trailers));
  return { text: Buffer.concat(decoded).toString(), trailers: Object.fromEntries(trailers) };
};

const SIGNED =
  '5;chunk-signature=aa\r\nhello\r\n1;chunk-signature=bb\r\n!\r\n0;chunk-signature=cc\r\nX-Amz-Checksum-Crc32: AAAA \r\n\r\n';

describe('an aws-chunked body', () => {
  it.each([1, 2, 3, 7, 64, 1000])('in pieces of %d bytes has the same bytes and trailers', async (size) => {
    expect(await decode(SIGNED, size)).toEqual({
      text: 'hello!',
      trailers: { 'x-amz-checksum-crc32': 'AAAA' },
    });
  });

  it.each([
    ['without chunks', '0\r\n\r\n', ''],
    ['without the last blank line', '2\r\nab\r\n0\r\n', 'ab'],
    ['with line ends in its bytes', '4\r\n\r\n\r\n\r\n0\r\n\r\n', '\r\n\r\n'],
    ['with a size in capitals', 'A\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
  ])('%s is decoded', async (_, body, text) => {
    expect((await decode(body)).text).toBe(text);
  });

  it.each([
    ['that ends in a chunk', '5\r\nhel'],
    ['that ends after a chunk', '5\r\nhello\r\n'],
    ['without a size', '\r\nhello\r\n0\r\n\r\n'],
    ['with a negative size', '-1\r\n\r\n'],
    ['with a chunk longer than its size', '2\r\nabc\r\n0\r\n\r\n'],
    ['with a trailer without a colon', '0\r\nnonsense\r\n\r\n'],
    ['with an endless size line', `1;${'x'.repeat(2000)}`],
    ['that is empty', ''],
  ])('%s is refused', async (_, body) => {
    await expect(decode(body || ' ', 16)).rejects.toMatchObject({ code: 'IncompleteBody' });
  });
});
