import { Aws } from 'aws-cdk-lib/core';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { acknowledgeSftpGrants } from '../config/nag-suppressions.ts';
import { allow } from './grants.ts';
import type { Reachable, Service } from './service.ts';

/** Folder of the uploads bucket for SFTP. `shared/sftp/paths.ts` defines the paths below it. */
const FOLDER = 'sftp';

/**
 * The role of SFTP sessions. The identity function returns a session policy that limits one session to the directories
 * of one account.
 */
export const sftpRole = (scope: Construct, { stage }: Service, uploads: Reachable, key: IKey): Role => {
  const listing = allow(['s3:ListBucket'], [uploads.arn]);
  listing.addCondition('StringLike', { 's3:prefix': [`${FOLDER}/*`] });
  const files = ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];
  // A session policy also limits the use of the key that its key policy allows to everybody through S3.
  const throughS3 = new PolicyStatement({
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `s3.${Aws.REGION}.amazonaws.com` } },
  });
  const statements = [listing, allow(files, [`${uploads.arn}/${FOLDER}/*`]), throughS3];
  const role = new Role(scope, 'SftpRole', {
    description: 'Sessions over SFTP, each bounded to one account',
    assumedBy: new ServicePrincipal('transfer.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    inlinePolicies: { files: new PolicyDocument({ statements }) },
  });
  acknowledgeSftpGrants(role, stage);
  return role;
};
