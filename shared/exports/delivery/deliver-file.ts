/** Deliver file: pushes the file of a job to the SFTP server of its export. */
import type { KeyService } from '../../runtime/ports.ts';
import { UNREACHABLE } from '../../sftp/connect.ts';
import type { FilePusher, PushOutcome } from '../../sftp/push.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptFile, type FileAttempt, type FileDeps } from './attempt-file.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import { supersededFile } from './shared-path.ts';
import { sftpRemedy } from './sftp-remedy.ts';
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
  { job, definition, file, isSuperseded }: FileAttempt,
): Promise<AttemptOutcome> => {
  const { destination } = definition;
  if (!destination) return permanentFailure('the export has no destination');
  const target = await sftpTargetOf(deps, definition, destination);
  if (!target) return permanentFailure('the domain is no server');
  if (await isSuperseded()) return permanentFailure(supersededFile);
  const upload = { ...file, directory: directoryOf(definition, job), isSuperseded };
  const until = deps.clock() + deps.attemptSeconds * 1000;
  return outcomeOf(await deps.push(target, upload, until), destination);
};

const outcomeOf = (outcome: PushOutcome, destination: Destination): AttemptOutcome => {
  switch (outcome.kind) {
    case 'sent':
      return { kind: 'delivered', readBack: outcome.readBack, remark: outcome.remark };
    case 'paused':
      return { kind: 'paused', readBack: outcome.readBack };
    case 'superseded':
      return permanentFailure(supersededFile);
    case 'refused':
      return { kind: 'failed', error: UNREACHABLE };
    case 'failed': {
      const error = failureOf(outcome, destination);
      // Each further attempt would leave another copy.
      return outcome.isTaken
        ? permanentFailure(error)
        : { kind: 'failed', error, readBack: outcome.readBack };
    }
  }
};

/** Steps whose failures no later attempt betters by itself, so the error says what to do. */
const settled: ReadonlySet<string> = new Set(['login', 'look', 'rename']);

/** The failure of a push. */
const failureOf = (outcome: Extract<PushOutcome, { kind: 'failed' }>, destination: Destination): string => {
  if (!settled.has(outcome.step) && !outcome.isTaken) return outcome.reason;
  const { what, line } = sftpRemedy(outcome, destination);
  return `${outcome.reason}; ${what}${line === undefined ? '' : `: ${line}`}`;
};
