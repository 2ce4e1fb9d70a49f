/** Client bucket: opens the bucket of a client by assuming the role that the client named, with STS. */
import type { S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, type Credentials, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { isAccessDenied, isClientError, isStatus, isUnavailable } from './aws-errors.ts';
import { clientOptions, s3Options } from './aws-client.ts';
import { BucketRefusedError, type BucketFault, type ClientBucket, type OpenClientBucket } from './ports.ts';
import { objectsOf } from './s3-objects.ts';
import { partUploadsOf } from './s3-part-uploads.ts';
import { loadS3, type LoadedS3 } from './s3-sdk.ts';

let sts: STSClient | undefined;

/** A role that assumes another role gets an hour at most (AWS IAM User Guide, "Role chaining"). */
const SESSION_SECONDS = 3_600;

/** An external id that the service assigned to nobody. A role that accepts it accepts every external id. */
const FOREIGN_EXTERNAL_ID = 'tidemark-of-no-property';

/**
 * Opens the bucket of a client. The bucket must belong to the account of the role: S3 refuses a bucket that somebody else
 * made under the name of a deleted bucket. A role that does not demand the external id is refused, because the service
 * would open it for each of its clients.
 */
export const openClientBucket: OpenClientBucket = async (ref, session) => {
  const credentials = await assume({ ...ref, session });
  if (!credentials) throw new BucketRefusedError('role_refused');
  if (await assume({ ...ref, session, external_id: FOREIGN_EXTERNAL_ID }))
    throw new BucketRefusedError('role_unguarded');
  const sdk = await loadS3();
  const client = new sdk.S3Client({ ...s3Options(), region: ref.region, credentials });
  demandOwner(client, ref.role_arn.split(':')[4] ?? '');
  return bucketOf({ sdk, client }, ref.bucket);
};

interface Assumed {
  readonly role_arn: string;
  readonly external_id: string;
  readonly session: string;
}

/** The credentials of a session of the role; `undefined` when the role refuses. */
const assume = async ({ role_arn, external_id, session }: Assumed) => {
  sts ??= new STSClient(clientOptions('STS'));
  const command = new AssumeRoleCommand({
    RoleArn: role_arn,
    ExternalId: external_id,
    RoleSessionName: session,
    DurationSeconds: SESSION_SECONDS,
  });
  try {
    return identityOf((await sts.send(command)).Credentials);
  } catch (error) {
    if (isAccessDenied(error)) return undefined;
    throw refusal(error);
  }
};

const identityOf = (credentials: Credentials | undefined) => {
  const { AccessKeyId, SecretAccessKey, SessionToken } = credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined || SessionToken === undefined)
    throw new Error('sts: an answer came without credentials');
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
};

/** Lets each call name the account that must own the bucket. */
const demandOwner = (s3: S3Client, ExpectedBucketOwner: string): void =>
  s3.middlewareStack.add(
    (next) => (call) => next({ ...call, input: { ...call.input, ExpectedBucketOwner } }),
    { step: 'initialize' },
  );

const bucketOf = (s3: LoadedS3, bucket: string): ClientBucket => {
  const objects = objectsOf(s3, bucket);
  const parts = partUploadsOf(s3, bucket);
  return {
    put: (...call) => refusing(() => objects.put(...call)),
    remove: (key) => refusing(() => objects.remove(key)),
    parts: {
      begin: (...call) => refusing(() => parts.begin(...call)),
      put: (...call) => refusing(() => parts.put(...call)),
      list: (...call) => refusing(() => parts.list(...call)),
      complete: (...call) => refusing(() => parts.complete(...call)),
      abort: (...call) => refusing(() => parts.abort(...call)),
    },
    close: () => s3.client.destroy(),
  };
};

const refusing = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    throw refusal(error);
  }
};

/** The refusal behind an error of AWS. Other errors are bugs, and stay as they are. */
const refusal = (error: unknown): unknown => {
  const fault = faultOf(error);
  return fault === undefined ? error : new BucketRefusedError(fault, { cause: error });
};

const names: Readonly<Record<string, BucketFault>> = {
  NoSuchBucket: 'no_bucket',
  PermanentRedirect: 'other_region',
  AuthorizationHeaderMalformed: 'other_region',
  IllegalLocationConstraintException: 'other_region',
  // The client alone can switch its key on.
  'KMS.DisabledException': 'refused',
  'KMS.KMSInvalidStateException': 'refused',
};

/** A region that AWS does not have has no host name. */
const unknownHost = v.looseObject({ code: v.literal('ENOTFOUND') });

const faultOf = (error: unknown): BucketFault | undefined => {
  const named = error instanceof Error ? names[error.name] : undefined;
  if (named !== undefined) return named;
  if (v.is(unknownHost, error) || isStatus(error, 301) || isStatus(error, 307)) return 'other_region';
  if (isUnavailable(error)) return 'unavailable';
  // The credentials of a role are refused in other words where a region is switched off, or a key is disabled.
  if (isAccessDenied(error) || isStatus(error, 403)) return 'access_denied';
  return isClientError(error) ? 'refused' : undefined;
};
