/** Code pages of DOS: their tables, by digests of Python's codecs and by letters that people know. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decode, decodeLossy } from '../../shared/csv/decode.ts';

const aboveAscii = Buffer.from(Array.from({ length: 128 }, (_, index) => 128 + index));

describe('a code page of DOS', () => {
  // hashlib.sha256(bytes(range(128, 256)).decode('cp850').encode()).hexdigest()
  it.each([
    ['ibm437', '6395cab87eae09bf6758684afcf3c8ed89423d4805a965c1ff438bbdd71f5816'],
    ['ibm850', '4ca3112428df72e8b152b5a552dc82d56b73c1ea8a13b768be5119252027043e'],
    ['ibm852', '3ee7c6ae05c3663f3846abd2215d1ae0be97641cc626f71c31f8928ecb9cc613'],
  ] as const)('%s has the characters of Python', (codePage, digest) => {
    const text = decode(aboveAscii, codePage) ?? '';
    expect(text).toHaveLength(128);
    expect(createHash('sha256').update(text).digest('hex')).toBe(digest);
    expect(decodeLossy(aboveAscii, codePage)).toBe(text);
  });

  it.each([
    ['ibm437', [0x81, 0x9b, 0xe1, 0xff], 'ü¢ß\u00a0'],
    ['ibm850', [0x81, 0x9b, 0x91, 0xe1, 0xc7, 0xf0], 'üøæßÃ\u00ad'],
    ['ibm852', [0x82, 0x8b, 0xfb, 0x9d, 0xa9, 0xe5], 'éőűŁęň'],
  ] as const)('%s has letters that people know', (codePage, bytes, text) => {
    expect(decode(Buffer.from([0x41, ...bytes, 0x7a]), codePage)).toBe(`A${text}z`);
  });
});
