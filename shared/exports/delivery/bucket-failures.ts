import type { BucketFault } from '../../runtime/ports.ts';
import type { S3Destination } from '../model/items.ts';

/**
 * A failure at the bucket of a client: its reason, and the remedy. Neither field repeats text that the bucket sent.
 */
export interface BucketFailure {
  readonly reason: string;
  readonly remedy: string;
}

/** The failure of an upload that the bucket no longer has. */
export const uploadGone = 'the upload no longer exists in the bucket; it begins anew';

/** The failure behind a fault. `accountArn` is the account of the service, which the role must trust. */
export const bucketFailure = (
  fault: BucketFault,
  { bucket, region, role_arn, external_id }: S3Destination,
  accountArn: string,
): BucketFailure => {
  switch (fault) {
    case 'role_refused':
      return {
        reason: 'the role does not let the service assume it',
        remedy: `give ${role_arn} the trust_policy of the export: principal ${accountArn}, external id ${external_id}`,
      };
    case 'role_unguarded':
      return {
        reason: 'the role lets the service assume it under any external id',
        remedy: `let the trust policy of ${role_arn} demand sts:ExternalId ${external_id}, as trust_policy of the export does`,
      };
    case 'access_denied':
      return {
        reason: 'the bucket refused the service',
        remedy: `give ${role_arn} the permission_policy of the export, and check the policy of the bucket ${bucket}, its key (kms:GenerateDataKey and kms:Decrypt) and that it belongs to the account of the role`,
      };
    case 'refused':
      return {
        reason: 'AWS refused the request, and not for a missing permission',
        remedy: `check that the default KMS key of the bucket ${bucket} exists and is enabled, and which uploads the other settings of the bucket refuse`,
      };
    case 'no_bucket':
      return {
        reason: 'there is no such bucket',
        remedy: `create the bucket ${bucket} in ${region}, or correct s3_destination.bucket`,
      };
    case 'other_region':
      return {
        reason: `the bucket is not in ${region}`,
        remedy: 'correct s3_destination.region',
      };
    case 'unavailable':
      return { reason: 'AWS did not answer in time', remedy: 'the service tries again' };
  }
};
