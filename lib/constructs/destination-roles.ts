import { Aws } from 'aws-cdk-lib/core';
import { ROLE_NAME_PREFIX } from '../../shared/exports/model/s3-destination.ts';
import type { Reachable } from './service.ts';

/** ARN of the account of the service, which the trust policies of clients' roles name. */
export const accountArn = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:root`;

/**
 * The roles that clients make for their buckets, in any account: a client names its role so. A trust policy decides
 * besides who may assume a role.
 */
export const destinationRoles = (): Reachable => {
  const arn = `arn:${Aws.PARTITION}:iam::*:role/${ROLE_NAME_PREFIX}*`;
  return { value: arn, arn };
};
