/** Home of a bucket: checks that a call comes from the account of the bucket, and is made for its region. */
import { accountOf } from '../../core/arn.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { AwsRequest, Caller } from '../../core/types.ts';
import { headerCredential } from '../../gateway/sigv4.ts';
import type { BucketHome } from './store.ts';

/**
 * Throws AccessDenied for a caller of another account, unless the bucket admits every account, and for a call that
 * expects another owner. The refusal of a call for another region sends it there, as that of S3 does.
 */
export const checkHome = (
  { account, region, admitsAll = false }: BucketHome,
  { headers }: AwsRequest,
  { principal }: Caller,
): void => {
  const expected = headers['x-amz-expected-bucket-owner'] ?? account;
  if ((!admitsAll && accountOf(principal) !== account) || expected !== account)
    throw new ServiceError('AccessDenied', 'Access Denied', 403);
  const signed = headerCredential(headers['authorization'])?.region;
  if (region === undefined || signed === undefined || signed === region) return;
  throw new ServiceError(
    'PermanentRedirect',
    'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
    301,
    {},
    { 'x-amz-bucket-region': region },
  );
};
