import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AwsServiceError,
  isAccessDenied,
  isStatus,
  isThrottle,
  isTransient,
  isUnavailable,
  UnavailableError,
} from '../../shared/runtime/aws-errors.ts';

/** The names and codes of the SDK's rules of retries. The SDK does not export them. */
const constants = readFileSync(
  'node_modules/@smithy/core/dist-es/submodules/retry/service-error-classification/constants.js',
  'utf8',
);
const listed = (name: string): readonly string[] =>
  [...(new RegExp(`${name} = \\[([^\\]]+)\\]`).exec(constants)?.[1] ?? '').matchAll(/[\w.]+/g)].map(
    ([one]) => one,
  );

const refused = (name: string, status = 400) =>
  new AwsServiceError(name, 'x', { httpStatusCode: status, attempts: 1 });
const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('what passes', () => {
  it.each(['THROTTLING_ERROR_CODES', 'TRANSIENT_ERROR_CODES'])('includes the names %s of the SDK', (list) => {
    expect(listed(list).length).toBeGreaterThan(2);
    expect(listed(list).filter((name) => !isUnavailable(refused(name)))).toEqual([]);
  });

  it.each(['NODEJS_TIMEOUT_ERROR_CODES', 'NODEJS_NETWORK_ERROR_CODES'])(
    'includes the codes %s of the SDK',
    (list) => {
      expect(listed(list).length).toBeGreaterThan(3);
      expect(listed(list).filter((code) => !isTransient(coded(code)))).toEqual([]);
    },
  );

  it('includes every failure of a service, and every 429', () => {
    const statuses = [...listed('TRANSIENT_ERROR_STATUS_CODES').map(Number), 429, 507];
    expect(statuses.filter((status) => !isUnavailable(refused('Unknown', status)))).toEqual([]);
  });

  it.each(['KmsThrottled', 'KMS.ThrottlingException', 'OverLimit', 'SlowDown', 'Throttling'])(
    'includes %s, of which nothing was carried out',
    (name) => {
      expect(isThrottle(refused(name))).toBe(true);
    },
  );

  it('includes two calls of S3 at once for one object', () => {
    expect(isTransient(refused('OperationAborted', 409))).toBe(true);
  });

  it.each(['DisabledException', 'KMSInvalidStateException', 'KmsDisabled', 'KmsInvalidState'])(
    'includes %s, which no other attempt mends',
    (name) => {
      expect([isUnavailable(refused(name)), isTransient(refused(name))]).toEqual([true, false]);
    },
  );

  it('includes a budget that was used up, which no other attempt mends', () => {
    const error = new UnavailableError('gave up');
    expect([isUnavailable(error), isTransient(error), isThrottle(error)]).toEqual([true, false, false]);
  });

  it.each([
    'AccessDeniedException',
    'ValidationException',
    'ExpiredTokenException',
    'ConditionalCheckFailedException',
  ])('does not include %s', (name) => {
    expect(isUnavailable(refused(name))).toBe(false);
  });

  it('does not include an error because of its cause: whoever wrapped it has judged it', () => {
    expect(isUnavailable(new Error('a bucket of a client', { cause: coded('ENOTFOUND') }))).toBe(false);
  });

  it.each([new TypeError('x'), 'x', undefined, { name: 'SlowDown' }])('does not include %s', (error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});

it('an error of AWS is told by its status, and by being denied', () => {
  expect(isStatus(refused('X', 412), 412)).toBe(true);
  expect(isStatus(new Error('412'), 412)).toBe(false);
  expect(isAccessDenied(refused('AccessDenied', 403))).toBe(true);
  expect(isAccessDenied(new Error('AccessDenied'))).toBe(false);
});
