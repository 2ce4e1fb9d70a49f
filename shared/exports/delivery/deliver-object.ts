/** Deliver object: puts the file of a job into the bucket of its client. */
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { limits } from '../../config/limits.ts';
import { withDeadline } from '../../runtime/deadline.ts';
import { BucketRefusedError, type ClientBucket, type OpenClientBucket } from '../../runtime/ports.ts';
import { contentTypeOf } from '../model/file-names.ts';
import type { ExportJob, JobRef, S3Destination } from '../model/items.ts';
import { objectKeyOf, sessionNameOf } from '../model/s3-destination.ts';
import { attemptFile, type FileAttempt, type FileDeps } from './attempt-file.ts';
import { bucketFailure, uploadGone } from './bucket-failures.ts';
import { supersededFile } from './shared-path.ts';
import { type ObjectOutcome, sendObject, type OutgoingObject, type SharedUpload } from './outgoing-object.ts';

export interface ObjectDeps extends FileDeps {
  readonly openBucket: OpenClientBucket;
  /** ARN of the account of the service, which the roles of clients trust. */
  readonly accountArn: string;
}

/**
 * Puts the file of a job into the bucket of its client. If a file is too long for one attempt, or an attempt is
 * interrupted, the next attempt continues. An attempt sends nothing once its lease is over.
 */
export const deliverObject = (deps: ObjectDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptFile(deps, ref, 's3', (attempt) => putFile(deps, attempt));

const putFile = async (
  deps: ObjectDeps,
  { job, definition, file, isSuperseded }: FileAttempt,
): Promise<AttemptOutcome> => {
  const { s3_destination: destination } = definition;
  if (!destination) return permanentFailure('the export has no bucket');
  const object = {
    key: objectKeyOf(definition, job),
    bytes: file.bytes,
    contentType: contentTypeOf(definition),
    read: file.read,
    isSuperseded,
  };
  const ends = deps.clock() + deps.attemptSeconds * 1000;
  const until = ends + limits.exports.objectLastSeconds * 1000;
  return withDeadline({ clock: deps.clock, until }, () => attempt(deps, { job, destination, object, ends }));
};

interface Attempt {
  readonly job: ExportJob;
  readonly destination: S3Destination;
  readonly object: OutgoingObject;
  readonly ends: number;
}

const attempt = async (
  deps: ObjectDeps,
  { job, destination, object, ends }: Attempt,
): Promise<AttemptOutcome> => {
  const upload = await sharedUpload(deps, job, object.key);
  const isSuperseded = await object.isSuperseded();
  if (isSuperseded && upload.current() === undefined) return superseded;
  let bucket: ClientBucket | undefined;
  try {
    bucket = await deps.openBucket(destination, sessionNameOf(job));
    if (!isSuperseded) return outcomeOf(await send(bucket, object, upload, () => deps.clock() >= ends));
    await discard(bucket, object, upload);
    return superseded;
  } catch (error) {
    if (!(error instanceof BucketRefusedError)) throw error;
    if (isSuperseded) return superseded;
    const { reason, remedy } = bucketFailure(error.fault, destination, deps.accountArn);
    return { kind: 'failed', error: `${reason}; ${remedy}` };
  } finally {
    bucket?.close();
  }
};

const superseded = permanentFailure(supersededFile);

/**
 * Sends a file. The parts of a superseded file are discarded, and parts after a refusal that may last, so that they
 * cost the client nothing.
 */
const send = async (
  bucket: ClientBucket,
  object: OutgoingObject,
  upload: SharedUpload,
  isOver: () => boolean,
): Promise<ObjectOutcome> => {
  try {
    const outcome = await sendObject(bucket, object, upload, isOver);
    if (outcome === 'superseded') await discard(bucket, object, upload);
    return outcome;
  } catch (error) {
    if (error instanceof BucketRefusedError && error.fault !== 'unavailable')
      await discard(bucket, object, upload);
    throw error;
  }
};

/** Best effort: a bucket that refuses parts may also refuse to discard them. */
const discard = async (
  { parts }: ClientBucket,
  { key }: OutgoingObject,
  upload: SharedUpload,
): Promise<void> => {
  const begun = upload.current();
  if (begun === undefined) return;
  try {
    await parts.abort(key, begun);
    await upload.forget(begun);
  } catch (error) {
    if (!(error instanceof BucketRefusedError)) throw error;
  }
};

/** The upload of a job in the table, which its attempts share. */
const sharedUpload = async (
  { exports, clock }: ObjectDeps,
  job: ExportJob,
  key: string,
): Promise<SharedUpload> => {
  let current = (await exports.upload(job))?.upload;
  return {
    current: () => current,
    remember: async (upload) => {
      const outcome = await exports.rememberUpload(job, { upload, key }, clock());
      if (outcome === 'refused') throw new Error('exports: two attempts upload a file at once');
      current = upload;
    },
    forget: async (upload) => {
      await exports.forgetUpload(job, { upload, key });
      current = undefined;
    },
  };
};

const outcomeOf = (outcome: ObjectOutcome): AttemptOutcome => {
  switch (outcome) {
    case 'sent':
      return { kind: 'delivered' };
    case 'paused':
      return { kind: 'paused' };
    case 'superseded':
      return superseded;
    case 'gone':
      return { kind: 'failed', error: uploadGone };
  }
};
