/** Deliver file: pushes the file of a job to the SFTP server of its export. */
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { loginRefusals, UNREACHABLE } from '../../sftp/connect.ts';
import type { FilePusher, PushOutcome } from '../../sftp/push.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import { fileToSend } from './file-to-send.ts';
import { claimPath, supersededFile } from './shared-path.ts';
import { sftpTargetOf } from './sftp-target.ts';
import { directoryOf } from '../model/file-names.ts';
import type { Destination, ExportDefinition, ExportJob, JobRef } from '../model/items.ts';

export interface PushDeps extends DeliveryDeps {
  readonly keyService: KeyService;
  readonly files: Pick<ObjectStore, 'read' | 'head'>;
  readonly push: FilePusher;
  /** Time of one attempt, below the timeout of its function. */
  readonly attemptSeconds: number;
}

/** Time to store the outcome of an attempt, and the difference between clocks. */
const MARGIN_SECONDS = 60;

/** Pushes the file of a job. If a file is too long for one attempt, the next attempt continues. */
export const deliverFile = (deps: PushDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'sftp',
    leaseSeconds: deps.attemptSeconds + MARGIN_SECONDS,
    send: (job, definition) => pushFile(deps, job, definition),
  });

const permanent = (error: string): AttemptOutcome => ({ kind: 'permanent_failure', error });

const pushFile = async (
  deps: PushDeps,
  job: ExportJob,
  definition: ExportDefinition,
): Promise<AttemptOutcome> => {
  const { destination } = definition;
  if (!destination) return permanent('the export has no destination');
  const file = await fileToSend(deps.files, job, definition);
  if (!file.ok) return permanent(file.error);
  const target = await sftpTargetOf(deps, definition, destination);
  if (!target) return permanent('the domain is no server');
  const isSuperseded = async () => (await claimPath(deps, 'sftp', definition, job)) === 'superseded';
  if (await isSuperseded()) return permanent(supersededFile);
  const upload = { ...file.value, directory: directoryOf(definition, job), isSuperseded };
  const until = deps.clock() + deps.attemptSeconds * 1000;
  return outcomeOf(await deps.push(target, upload, until), destination);
};

const outcomeOf = (outcome: PushOutcome, destination: Destination): AttemptOutcome => {
  switch (outcome.kind) {
    case 'sent':
      return { kind: 'delivered', readBack: outcome.readBack };
    case 'paused':
      return { kind: 'paused', readBack: outcome.readBack };
    case 'superseded':
      return permanent(supersededFile);
    case 'refused':
      return { kind: 'failed', error: UNREACHABLE };
    case 'failed':
      return { kind: 'failed', error: failureOf(outcome, destination), readBack: outcome.readBack };
  }
};

/** The failure of a push. For a key that the server refuses, it says which line the server needs. */
const failureOf = (
  { reason }: Extract<PushOutcome, { kind: 'failed' }>,
  { client_id, public_key }: Destination,
): string =>
  reason === loginRefusals.key && public_key !== null
    ? `${reason} for user ${client_id}; add this line to ~/.ssh/authorized_keys there, then replay: ${public_key}`
    : reason;
