import { describe, expect, it } from 'vitest';
import { checkDelete, checkRead, checkWrite, parseRange } from '../../../services/s3/conditions.ts';

const ETAG = '"0123"';
const MODIFIED = Date.parse('2026-08-01T12:00:00.500Z');
const EARLIER = 'Sat, 01 Aug 2026 11:59:59 GMT';
const SAME = 'Sat, 01 Aug 2026 12:00:00 GMT';
const LATER = 'Sat, 01 Aug 2026 12:00:01 GMT';
const stored = { key: 'k', blobs: [], size: 10, etag: ETAG, modified: MODIFIED, headers: {}, checksum: {} };

const headers =
  (given: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    given[name];

/** The result of a check, or the code of its error. */
const resultOf = (check: () => unknown): unknown => {
  try {
    return check();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('a conditional read (RFC 7232)', () => {
  it.each<[Readonly<Record<string, string>>, unknown]>([
    [{}, 'send'],
    [{ 'if-match': ETAG }, 'send'],
    [{ 'if-match': '0123' }, 'send'],
    [{ 'if-match': '"other", "0123"' }, 'send'],
    [{ 'if-match': '*' }, 'send'],
    [{ 'if-match': '"other"' }, 'PreconditionFailed'],
    [{ 'if-none-match': ETAG }, 'unchanged'],
    [{ 'if-none-match': '*' }, 'unchanged'],
    [{ 'if-none-match': '"other"' }, 'send'],
    [{ 'if-unmodified-since': EARLIER }, 'PreconditionFailed'],
    [{ 'if-unmodified-since': SAME }, 'send'],
    [{ 'if-modified-since': EARLIER }, 'send'],
    [{ 'if-modified-since': SAME }, 'unchanged'],
    [{ 'if-modified-since': LATER }, 'unchanged'],
    [{ 'if-modified-since': 'no date' }, 'send'],
    // The ETag wins over the date, for either kind of condition.
    [{ 'if-match': ETAG, 'if-unmodified-since': EARLIER }, 'send'],
    [{ 'if-none-match': '"other"', 'if-modified-since': LATER }, 'send'],
    [{ 'if-none-match': ETAG, 'if-modified-since': EARLIER }, 'unchanged'],
    [{ 'if-match': '"other"', 'if-none-match': ETAG }, 'PreconditionFailed'],
  ])('with %j gives %s', (given, expected) => {
    expect(resultOf(() => checkRead(headers(given), stored))).toBe(expected);
  });
});

describe('a conditional write', () => {
  it.each<[Readonly<Record<string, string>>, boolean, unknown]>([
    [{}, true, undefined],
    [{ 'if-none-match': '*' }, false, undefined],
    [{ 'if-none-match': '*' }, true, 'PreconditionFailed'],
    [{ 'if-none-match': ETAG }, false, 'NotImplemented'],
    [{ 'if-match': ETAG }, true, undefined],
    [{ 'if-match': '"other"' }, true, 'PreconditionFailed'],
    [{ 'if-match': ETAG }, false, 'NoSuchKey'],
    [{ 'if-match': '*' }, false, 'NoSuchKey'],
  ])('with %j, on an existing object: %s, gives %s', (given, exists, expected) => {
    expect(resultOf(() => checkWrite(headers(given), exists ? stored : undefined))).toBe(expected);
  });
});

it('a deletion takes no object but the one that it names', () => {
  expect(resultOf(() => checkDelete(headers({}), undefined))).toBeUndefined();
  expect(resultOf(() => checkDelete(headers({ 'if-match': ETAG }), stored))).toBeUndefined();
  expect(resultOf(() => checkDelete(headers({ 'if-match': '"other"' }), stored))).toBe('PreconditionFailed');
  expect(resultOf(() => checkDelete(headers({ 'if-match': ETAG }), undefined))).toBe('NoSuchKey');
});

describe('a range of 10 bytes', () => {
  it.each<[string | undefined, unknown]>([
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=3-5', { start: 3, end: 5 }],
    ['bytes=9-20', { start: 9, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=10-', 'InvalidRange'],
    ['bytes=10-12', 'InvalidRange'],
    ['bytes=-0', 'InvalidRange'],
    // S3 ignores a malformed range and several ranges.
    ['bytes=5-3', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
  ])('%s is %j', (header, expected) => {
    expect(resultOf(() => parseRange(header, 10))).toEqual(expected);
  });

  it('of an empty object is invalid', () => {
    expect(resultOf(() => parseRange('bytes=0-', 0))).toBe('InvalidRange');
  });
});
