/** Attempt file: makes one attempt at a delivery that sends the file of a job to its client. */
import { permanentFailure, type AttemptOutcome } from '../../deliveries/delivery-state.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { DeliveryKind, ExportDefinition, ExportFile, ExportJob, JobRef } from '../model/items.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { claimPath } from './shared-path.ts';

export interface FileDeps extends DeliveryDeps {
  readonly files: Pick<ObjectStore, 'read' | 'head'>;
  /** Time of one attempt, below the timeout of its function. */
  readonly attemptSeconds: number;
}

/** What an attempt sends, by the definition that the job worked by. */
export interface FileAttempt {
  readonly job: ExportJob;
  readonly definition: ExportDefinition;
  readonly file: FileToSend;
  /** Claims the path of the file for the job's run, and says whether a later run has claimed the path. */
  readonly isSuperseded: () => Promise<boolean>;
}

/** Time to store the outcome of an attempt, and the difference between clocks. */
const MARGIN_SECONDS = 60;

/** Seconds of the lease of an attempt: it lasts longer than the attempt may take. */
export const leaseOf = ({ attemptSeconds }: Pick<FileDeps, 'attemptSeconds'>): number =>
  attemptSeconds + MARGIN_SECONDS;

/** Makes one attempt at a delivery if it is due. */
export const attemptFile = (
  deps: FileDeps,
  ref: JobRef,
  kind: Extract<DeliveryKind, 'sftp' | 's3'>,
  send: (attempt: FileAttempt) => Promise<AttemptOutcome>,
): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind,
    needsFile: true,
    leaseSeconds: leaseOf(deps),
    send: async (job, definition) => {
      const file = await fileToSend(deps.files, job, definition);
      if (!file.ok) return permanentFailure(file.error);
      const isSuperseded = async () => (await claimPath(deps, kind, definition, job)) === 'superseded';
      return send({ job, definition, file: file.value, isSuperseded });
    },
  });

/** The file of a job, with a reader of its bytes. */
export interface FileToSend extends Pick<ExportFile, 'name' | 'bytes' | 'sha256'> {
  /** Streams the bytes from `from` to before `to`, to the end when absent. */
  readonly read: (from: number, to?: number) => AsyncIterable<Uint8Array>;
}

/**
 * The file of a job as a push sends it; else the reason why nothing may be sent, which no later attempt can change. A
 * plain file is not sent once its definition demands encryption.
 */
export const fileToSend = async (
  files: Pick<ObjectStore, 'read' | 'head'>,
  { file }: Pick<ExportJob, 'file'>,
  { pgp_public_key }: Pick<ExportDefinition, 'pgp_public_key'>,
): Promise<Result<FileToSend, string>> => {
  if (!file) return err('the job has no file');
  if (pgp_public_key !== null && !file.encrypted) return err('the file is not encrypted');
  const { key, etag, name, bytes, sha256 } = file;
  if ((await files.head(key))?.etag !== etag) return err('the file is no longer kept');
  const read = (from: number, to = bytes): AsyncIterable<Uint8Array> =>
    from >= to ? nothing() : files.read(key, { etag, from, to: to - 1 });
  return ok({ name, bytes, sha256, read });
};

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // S3 refuses a range that begins at the end of an object.
}
