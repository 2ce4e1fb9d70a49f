import { accountPrefix, importsPrefix } from './paths.ts';

/** Where sessions work, and the role they wear. */
export interface SftpPlace {
  readonly bucket: string;
  readonly roleArn: string;
}

/** What Transfer Family is told of a user that may come in: its role, its directories and the bounds of its session. */
export interface SftpSession {
  readonly Role: string;
  readonly Policy: string;
  readonly HomeDirectoryType: 'LOGICAL';
  /** JSON text of a list of `{Entry, Target}`. */
  readonly HomeDirectoryDetails: string;
}

/** The session of an account's user. */
export const sessionOf = (
  { bucket, roleArn }: SftpPlace,
  account: number,
  properties: readonly number[],
): SftpSession => ({
  Role: roleArn,
  Policy: JSON.stringify(policyOf(bucket, account)),
  HomeDirectoryType: 'LOGICAL',
  HomeDirectoryDetails: JSON.stringify(directoriesOf(bucket, account, properties)),
});

interface Directory {
  readonly Entry: string;
  readonly Target: string;
}

/** `/<property>/imports` for each property, and `/imports` while there is one. Entries of a user must not overlap. */
const directoriesOf = (
  bucket: string,
  account: number,
  properties: readonly number[],
): readonly Directory[] => {
  const [only] = properties;
  const own = properties.map((property) => ({ path: `/${property}/imports`, property }));
  const short = properties.length === 1 && only !== undefined ? [{ path: '/imports', property: only }] : [];
  return [...own, ...short].map(({ path, property }) => ({
    Entry: path,
    Target: `/${bucket}/${importsPrefix(account, property).replace(/\/$/, '')}`,
  }));
};

/**
 * Bounds the role to one account: files directly in directories of imports, to list, put, read, rename and remove.
 * Directories are the service's: what ends in a slash cannot be made or removed, nor anything deeper be put. The same for
 * every account whatever it has, because a session policy has 2,048 characters.
 */
const policyOf = (bucket: string, account: number): unknown => {
  const objects = `arn:aws:s3:::${bucket}/${accountPrefix(account)}`;
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`],
        Condition: { StringLike: { 's3:prefix': [`${accountPrefix(account)}*`] } },
      },
      { Effect: 'Allow', Action: fileActions, Resource: [`${objects}*/imports/*/*`] },
      {
        Effect: 'Deny',
        Action: ['s3:PutObject', 's3:DeleteObject'],
        Resource: [`${objects}*/`, `${objects}*/imports/*/*/*`],
      },
      // The role says which key; the bucket's objects can be neither written nor read without it.
      { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: ['*'] },
    ],
  };
};

const fileActions = ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];
