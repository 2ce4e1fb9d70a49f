/** SFTP session: the role, directories and session policy that Transfer Family applies to a user. */
import { accountDropsOf } from '../properties/folders.ts';
import { importsPrefix } from './paths.ts';
import { resultNames } from './result-names.ts';

/** The bucket and the role of SFTP sessions. */
export interface SftpPlace {
  readonly bucket: string;
  readonly roleArn: string;
}

/** The answer to Transfer Family for an admitted user: role, directories and session policy. */
export interface SftpSession {
  readonly Role: string;
  readonly Policy: string;
  readonly HomeDirectoryType: 'LOGICAL';
  /** JSON text of a list of `{Entry, Target}`. */
  readonly HomeDirectoryDetails: string;
}

/** What a session reaches. */
interface SftpScope {
  readonly account: number;
  readonly properties: readonly number[];
  /** Whether the user may see people, and so read and rename the files of everybody in the account. */
  readonly mayRead: boolean;
}

/** The session of a user. */
export const sessionOf = (
  { bucket, roleArn }: SftpPlace,
  { account, properties, mayRead }: SftpScope,
): SftpSession => ({
  Role: roleArn,
  Policy: JSON.stringify(policyOf(bucket, account, mayRead)),
  HomeDirectoryType: 'LOGICAL',
  HomeDirectoryDetails: JSON.stringify(directoriesOf(bucket, account, properties)),
});

interface Directory {
  readonly Entry: string;
  readonly Target: string;
}

/**
 * `/<property>/imports` for each property, and also `/imports` for a single property. Entries of a user must not
 * overlap.
 */
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
 * The session policy: bounds the role to one account. Users list, put, read, rename and remove files directly in import
 * directories. Only the service creates directories: users can neither create nor remove a key that ends in a slash,
 * nor put a file at a deeper level. A user who may not see people reads only results, which have counts, and cannot
 * rename, because a rename reads. The server asks S3 for the objects of directories, too, so everybody may read those
 * (https://docs.aws.amazon.com/transfer/latest/userguide/configure-storage.html, "Grant ability to only write and list
 * files"). The policy has the same size for every account, because a session policy has at most 2,048 characters.
 */
const policyOf = (bucket: string, account: number, mayRead: boolean): unknown => {
  const objects = `arn:aws:s3:::${bucket}/${accountDropsOf(account)}`;
  const files = `${objects}*/imports/*/*`;
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`],
        Condition: { StringLike: { 's3:prefix': [`${accountDropsOf(account)}*`] } },
      },
      { Effect: 'Allow', Action: sendingActions, Resource: [files] },
      {
        Effect: 'Allow',
        Action: ['s3:GetObject'],
        Resource: mayRead ? [files] : [`${objects}*/imports/*/`, resultNames(files).result],
      },
      {
        Effect: 'Deny',
        Action: ['s3:PutObject', 's3:DeleteObject'],
        Resource: [`${objects}*/`, `${objects}*/imports/*/*/*`],
      },
      // The role names the KMS key. Without the key, objects of the bucket can be neither written nor read.
      { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: ['*'] },
    ],
  };
};

const sendingActions = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'];
