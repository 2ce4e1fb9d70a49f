/** Deliver file: pushes the file of a job to the SFTP server of its export. */
import type { KeyService } from '../../runtime/ports.ts';
import { loginRefusals, UNREACHABLE } from '../../sftp/connect.ts';
import type { FilePusher, PushOutcome } from '../../sftp/push.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptFile, type FileAttempt, type FileDeps } from './attempt-file.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import { fileToSend } from './file-to-send.ts';
import { supersededFile } from './shared-path.ts';
import { sftpTargetOf } from './sftp-target.ts';
import { directoryOf } from '../model/file-names.ts';
import type { Destination, JobRef } from '../model/items.ts';

export interface PushDeps extends FileDeps {
  readonly keyService: KeyService;
  readonly push: FilePusher;
}

/** Pushes the file of a job. If a file is too long for one attempt, the next attempt continues. */
export const deliverFile = (deps: PushDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptFile(deps, ref, 'sftp', (attempt) => pushFile(deps, attempt));

const pushFile = async (
  deps: PushDeps,
  { job, definition, isSuperseded }: FileAttempt,
): Promise<AttemptOutcome> => {
  const { destination } = definition;
  if (!destination) return permanentFailure('the export has no destination');
  const file = await fileToSend(deps.files, job, definition);
  if (!file.ok) return permanentFailure(file.error);
  const target = await sftpTargetOf(deps, definition, destination);
  if (!target) return permanentFailure('the domain is no server');
  if (await isSuperseded()) return permanentFailure(supersededFile);
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
      return permanentFailure(supersededFile);
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
