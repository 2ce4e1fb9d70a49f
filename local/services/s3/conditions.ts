/** Conditional requests: preconditions and ranges of reads and writes. */
import { ServiceError } from '../../core/service-error.ts';
import type { S3Request } from './requests.ts';
import type { StoredObject } from './store.ts';

type Header = S3Request['header'];

const failed = (): ServiceError =>
  new ServiceError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
  );

const names = (header: string, etag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((one) => one.trim().replace(/^"?([^"]*)"?$/, '"$1"') === etag);

/**
 * `If-None-Match: *` and `If-Match` of a write. The service checks them before it receives the bytes, and again
 * afterwards.
 */
export const checkWrite = (header: Header, stored: StoredObject | undefined): void => {
  const noneMatch = header('if-none-match');
  if (noneMatch !== undefined && noneMatch.trim() !== '*')
    throw new ServiceError('NotImplemented', 'If-None-Match on a write takes only *', 501);

  if (noneMatch !== undefined && stored) throw failed();
  checkDelete(header, stored);
};

/** `If-Match` of a deletion, or of a write. */
export const checkDelete = (header: Header, stored: StoredObject | undefined): void => {
  const match = header('if-match');
  if (match === undefined) return;
  if (!stored) throw new ServiceError('NoSuchKey', 'The specified key does not exist.', 404);
  if (!names(match, stored.etag)) throw failed();
};

/** Checks the conditions of a read, in the order of RFC 7232. Returns whether the caller's copy is current (304). */
export const checkRead = (header: Header, stored: StoredObject): 'send' | 'unchanged' => {
  const match = header('if-match');
  const unmodifiedSince = seconds(header('if-unmodified-since'));
  const modified = Math.floor(stored.modified / 1000);
  if (match === undefined) {
    if (unmodifiedSince !== undefined && modified > unmodifiedSince) throw failed();
  } else if (!names(match, stored.etag)) {
    throw failed();
  }
  const noneMatch = header('if-none-match');
  if (noneMatch !== undefined) return names(noneMatch, stored.etag) ? 'unchanged' : 'send';
  const modifiedSince = seconds(header('if-modified-since'));
  return modifiedSince !== undefined && modified <= modifiedSince ? 'unchanged' : 'send';
};

const seconds = (date: string | undefined): number | undefined => {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
};

/** First and last byte (inclusive) of a `Range` header; undefined for a range that S3 ignores. Throws InvalidRange. */
export const parseRange = (
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || (first === '' && Number(last) === 0))
    throw new ServiceError('InvalidRange', 'The requested range is not satisfiable', 416);

  return { start, end };
};
