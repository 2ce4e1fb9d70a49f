/** S3 destination: the bucket of a client, the role that opens it, and the policies that this role needs. */
import { createHmac } from 'node:crypto';
import { directoryOf, fileName, fixedDirectoryOf } from './file-names.ts';
import type { ExportDefinition, ExportJob, S3Destination } from './items.ts';

/**
 * The names of roles that the service may assume begin like this. The policies of its functions allow no other role, so
 * a client cannot point the service at a role that was made for something else.
 */
export const ROLE_NAME_PREFIX = 'tidemark-destination-';

/** Names that S3 reserves (S3 User Guide, "General purpose bucket naming rules"); the SDK sends some of them elsewhere. */
const reservedPrefixes = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** Whether a text is the name of a general purpose bucket. An ARN, an access point and an address are not. */
export const isBucketName = (text: string): boolean =>
  /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(text) &&
  !text.includes('..') &&
  !/^\d+\.\d+\.\d+\.\d+$/.test(text) &&
  !reservedPrefixes.some((prefix) => text.startsWith(prefix)) &&
  !reservedSuffixes.some((suffix) => text.endsWith(suffix));

/** Whether a text has the form of a region. It becomes a part of a host name of AWS, and of nothing else. */
export const isRegion = (text: string): boolean => /^[a-z]{2}(?:-[a-z]{2,10}){1,2}-\d{1,2}$/.test(text);

/** Names of roles have at most 64 characters (IAM API, `CreateRole`). */
const roleArn = new RegExp(
  String.raw`^arn:aws(?:-cn|-us-gov)?:iam::\d{12}:role/${ROLE_NAME_PREFIX}[\w+=,.@-]{1,${64 - ROLE_NAME_PREFIX.length}}$`,
);

/** Whether a text is the ARN of a role that the service may assume: without a path, and with the prefix of names. */
export const isRoleArn = (text: string): boolean => roleArn.test(text);

/**
 * The external id of a property: the service sends it whenever it assumes a role for the property. It is made from a key
 * of the property, so no other property has it, and a role that demands it serves no other property (AWS IAM User Guide,
 * "The confused deputy problem").
 */
export const externalIdOf = (property: number, key: Uint8Array): string =>
  `tidemark-${property}-${createHmac('sha256', key).update('external id').digest('hex').slice(0, 32)}`;

/** A policy document as JSON. */
interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Readonly<Record<string, unknown>>[];
}

const document = (...Statement: readonly Readonly<Record<string, unknown>>[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement,
});

/** The trust policy of the role: the account of the service may assume it, under the external id of the property. */
export const trustPolicy = (
  { external_id }: Pick<S3Destination, 'external_id'>,
  accountArn: string,
): PolicyDocument =>
  document({
    Effect: 'Allow',
    Principal: { AWS: accountArn },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': external_id } },
  });

/** The start of the names of objects and files that tests write and remove. */
export const TEST_OBJECT_PREFIX = '.tidemark-test-';

/** The permissions of the role: it writes below the directory of the export, and removes the objects of tests. */
export const permissionPolicy = (
  { bucket, role_arn }: Pick<S3Destination, 'bucket' | 'role_arn'>,
  definition: Pick<ExportDefinition, 'directory'>,
): PolicyDocument => {
  const objects = `arn:${role_arn.split(':')[1]}:s3:::${bucket}/${fixedFolderOf(definition)}`;
  const write = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];
  return document(
    { Effect: 'Allow', Action: write, Resource: `${objects}*` },
    { Effect: 'Allow', Action: 's3:DeleteObject', Resource: `${objects}${TEST_OBJECT_PREFIX}*` },
  );
};

/** The name of a session of the role, which the client finds in its CloudTrail. */
export const sessionNameOf = ({ export: id }: Pick<ExportDefinition, 'export'>): string =>
  `tidemark-export-${id}`;

/** A directory as the beginning of a key: keys have no slash in front. */
const folderOf = (directory: string | null): string => {
  const relative = (directory ?? '').replace(/^\//, '');
  return relative === '' ? '' : `${relative}/`;
};

/** The beginning of the keys of all files of a definition: the levels before the first variable. */
export const fixedFolderOf = (definition: Pick<ExportDefinition, 'directory'>): string =>
  folderOf(fixedDirectoryOf(definition));

/** The key of a job's file in the bucket. */
export const objectKeyOf = (
  definition: ExportDefinition,
  job: Pick<ExportJob, 'export' | 'job' | 'created' | 'run'>,
): string => `${folderOf(directoryOf(definition, job))}${fileName(definition, job)}`;

/** The address of a job's file in the bucket, `s3://bucket/key`; `null` without a bucket or without a file. */
export const objectAddressOf = (definition: ExportDefinition, job: ExportJob): string | null => {
  const { s3_destination: destination } = definition;
  if (!destination || !job.file) return null;
  return `s3://${destination.bucket}/${objectKeyOf(definition, job)}`;
};
