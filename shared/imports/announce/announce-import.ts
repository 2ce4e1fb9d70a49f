/** `announceImport`: tells the client that the import of a file has ended, as the last step of its workflow. */
import { limits } from '../../config/limits.ts';
import { type AttemptDeps, type DeliverAnswer, makeAttempt } from '../../deliveries/make-attempt.ts';
import { type AttemptOutcome, hasAttemptsLeft, permanentFailure } from '../../deliveries/delivery-state.ts';
import { type CallDeps, webhookLeaseSeconds } from '../../deliveries/call-webhook.ts';
import { dropsPrefix } from '../../properties/folders.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import { type ProgressDeps, readProgress } from '../jobs/read-progress.ts';
import type { SettleAnswer } from '../jobs/settle-import.ts';
import { changeJob } from '../repository/change-job.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { type ImportDeliveryKind, importDeliveryKinds } from '../items/import-delivery.ts';
import type { ImportJob, Progress } from '../items/import-job.ts';
import type { JobReference } from '../items/job-messages.ts';
import { hasEnded } from '../items/job-status.ts';
import { jobDetailView } from '../schemas/views.ts';
import type { EndedImport } from './ended-import.ts';
import { callImportWebhook, type MailDeps, mailImport } from './import-notices.ts';
import { type ResultDeps, writeResultFiles } from './write-result-files.ts';

export interface AnnounceDeps extends ProgressDeps, AttemptDeps, CallDeps, MailDeps, ResultDeps {}

const done: SettleAnswer = { done: true, wait_seconds: 0 };

/**
 * Makes every attempt that is due: the result files beside a file from SFTP, then the webhook, then the mail. What is to
 * be delivered follows from the job and its definition, so nothing can be lost between the end of a job and its
 * announcement. Afterwards it makes the replays that clients ask for. Waits while workers still store rows, so that the
 * announced counts are final. The answer is done when everything was delivered or given up. Announces nothing for a cancelled job, a deleted definition or a
 * deleted property.
 */
export const announceImport = async (deps: AnnounceDeps, reference: JobReference): Promise<SettleAnswer> => {
  const { imports, clock } = deps;
  const job = await imports.job(reference.property, reference.job);
  if (!job) return done;
  const replays = job.announced === null ? undefined : await replaysOf(deps, job);
  if (replays?.length === 0) return done;
  const progress = await readProgress(deps, job);
  const stored = await imports.definitionOfJob(job);
  const definition = stored?.deleted === true || progress.status === 'cancelled' ? undefined : stored;
  const kinds = replays ?? (definition ? kindsOf(job, definition) : []);
  const waits = await announce(deps, kinds, { job, definition, progress });
  if (waits.length > 0) return { done: false, wait_seconds: Math.min(...waits) };
  await changeJob(deps, reference, (seen) => (seen.announced === null ? { announced: clock() } : undefined));
  return done;
};

/** The kinds of the deliveries of an announced job that a client wants once more. */
const replaysOf = async (
  { imports }: Pick<AnnounceDeps, 'imports'>,
  job: ImportJob,
): Promise<readonly ImportDeliveryKind[]> =>
  (await imports.importDeliveries(job)).filter(hasAttemptsLeft).map(({ kind }) => kind);

/** A job to announce, with what it has done so far. */
interface Announced {
  readonly job: ImportJob;
  /** The definition of the job; `undefined` when nothing is to be told any more. */
  readonly definition: ImportDefinition | undefined;
  readonly progress: Progress;
}

/** Makes the attempts that are due; the seconds to wait for each delivery that is left. */
const announce = async (
  deps: AnnounceDeps,
  kinds: readonly ImportDeliveryKind[],
  announced: Announced,
): Promise<readonly number[]> => {
  const { job, progress } = announced;
  const isOver = hasEnded(progress.status) && progress.processing === 0;
  if (kinds.length > 0 && !isOver) return [secondsToNextPoll(deps.clock() - (job.started ?? job.created))];
  const answers: DeliverAnswer[] = [];
  for (const kind of kinds) answers.push(await attempt(deps, kind, announced));
  return answers.flatMap(({ delivered, exhausted, wait_seconds }) =>
    delivered || exhausted ? [] : [wait_seconds],
  );
};

const kindsOf = (
  { file }: ImportJob,
  { webhook_url, notification_email, result_files }: ImportDefinition,
): readonly ImportDeliveryKind[] => {
  const wanted = {
    result_files: result_files && file?.object?.key.startsWith(dropsPrefix) === true,
    webhook: webhook_url !== null,
    email: notification_email !== null,
  };
  return importDeliveryKinds.filter((kind) => wanted[kind]);
};

const leases: Readonly<Record<ImportDeliveryKind, number>> = {
  result_files: limits.imports.resultFilesSeconds,
  webhook: webhookLeaseSeconds,
  email: limits.exports.emailSeconds,
};

const senders = {
  result_files: writeResultFiles,
  webhook: callImportWebhook,
  email: mailImport,
} as const;

const attempt = async (
  deps: AnnounceDeps,
  kind: ImportDeliveryKind,
  { job, definition, progress }: Announced,
): Promise<DeliverAnswer> => {
  const send = async (): Promise<AttemptOutcome> => {
    if (!definition) return notTold;
    const sums = await deps.imports.reasonSums(job.property, job.id);
    // The result of a dry run may name 1,000 segments, so the announcement leaves it to the route of the job. Whoever may
    // define an import chooses who gets the announcement, so it shows no people.
    const view = jobDetailView(job, progress, { sums, dryRun: null, showsPeople: false });
    const ended: EndedImport = { job, definition, view };
    return senders[kind](deps, ended);
  };
  return makeAttempt(deps, deps.imports.importDelivery(job, kind), { leaseSeconds: leases[kind], send });
};

const notTold = permanentFailure('the definition was deleted, or the job was cancelled');
