/** The folder to which the policy of the session bounds its user. */
export const OWN = 'sftp/1/';

/**
 * The answer of an identity function for a user with the directories `/1001/imports` and `/imports`, which are the same
 * one. The policy lets the user list, put, read, rename and remove files, but neither make directories nor files below them.
 */
export const sessionOf = (bucket: string) => ({
  Role: 'role',
  Policy: JSON.stringify(policyOf(bucket)),
  HomeDirectoryType: 'LOGICAL',
  HomeDirectoryDetails: JSON.stringify(
    ['/1001/imports', '/imports'].map((Entry) => ({ Entry, Target: `/${bucket}/${OWN}1001/imports` })),
  ),
});

const policyOf = (bucket: string): unknown => {
  const objects = `arn:aws:s3:::${bucket}/${OWN}`;
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [`arn:aws:s3:::${bucket}`],
        Condition: { StringLike: { 's3:prefix': [`${OWN}*`] } },
      },
      {
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
        Resource: [`${objects}*/imports/*/*`],
      },
      {
        Effect: 'Deny',
        Action: ['s3:PutObject', 's3:DeleteObject'],
        Resource: [`${objects}*/`, `${objects}*/imports/*/*/*`],
      },
      { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: ['*'] },
    ],
  };
};
