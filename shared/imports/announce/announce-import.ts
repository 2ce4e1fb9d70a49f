/** `announceImport`: tells the client that the import of a file has ended, as the last step of its workflow. */
import { limits } from '../../config/limits.ts';
import {
  type AttemptDeps,
  type DeliverAnswer,
  deliveredAnswer,
  makeAttempt,
} from '../../deliveries/make-attempt.ts';
import { dropsPrefix } from '../../sftp/paths.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import { type ProgressDeps, readProgress } from '../jobs/read-progress.ts';
import { changeJob } from '../model/change-job.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import { type ImportDeliveryKind, importDeliveryKinds } from '../model/import-delivery.ts';
import type { ImportJob, Progress } from '../model/import-job.ts';
import type { JobReference } from '../model/job-messages.ts';
import { hasEnded } from '../model/job-status.ts';
import { jobDetailView } from '../model/views.ts';
import { type CallDeps, callWebhook } from './call-webhook.ts';
import type { EndedImport } from './ended-import.ts';
import { type MailDeps, mailImport } from './mail-import.ts';
import { type ResultDeps, writeResultFiles } from './write-result-files.ts';

export interface AnnounceDeps extends ProgressDeps, AttemptDeps, CallDeps, MailDeps, ResultDeps {}

/** Whether everything was delivered or given up; if not, the seconds to wait before the next call. */
export interface AnnounceAnswer {
  readonly done: boolean;
  readonly wait_seconds: number;
}

const done: AnnounceAnswer = { done: true, wait_seconds: 0 };

/**
 * Makes every attempt that is due: the result files beside a file from SFTP, then the webhook, then the mail. What is to
 * be delivered follows from the job and its definition, so nothing can be lost between the end of a job and its
 * announcement. Waits while workers still store rows of a failed file, so that the announced counts are final. Announces
 * nothing for a cancelled job or a deleted definition.
 */
export const announceImport = async (
  deps: AnnounceDeps,
  reference: JobReference,
): Promise<AnnounceAnswer> => {
  const { imports, clock } = deps;
  const job = await imports.job(reference.property, reference.job);
  if (!job) throw new Error('import: the job does not exist');
  if (job.announced !== null) return done;
  const progress = await readProgress(deps, job);
  const definition = await imports.definitionOfJob(job);
  const kinds = definition && !definition.deleted ? kindsOf(job, progress, definition) : [];
  const isOver = hasEnded(progress.status) && progress.processing === 0;
  if (kinds.length > 0 && !isOver)
    return { done: false, wait_seconds: secondsToNextPoll(clock() - (job.started ?? job.created)) };
  const answers: DeliverAnswer[] = [];
  for (const kind of kinds) answers.push(await attempt(deps, job, kind, progress));
  const waits = answers.flatMap(({ delivered, exhausted, wait_seconds }) =>
    delivered || exhausted ? [] : [wait_seconds],
  );
  if (waits.length > 0) return { done: false, wait_seconds: Math.min(...waits) };
  await changeJob(deps, reference, (seen) => (seen.announced === null ? { announced: clock() } : undefined));
  return done;
};

const kindsOf = (
  { file }: ImportJob,
  { status }: Progress,
  { webhook_url, notification_email, result_files }: ImportDefinition,
): readonly ImportDeliveryKind[] => {
  if (status === 'cancelled') return [];
  const wanted = {
    result_files: result_files && file?.object?.key.startsWith(dropsPrefix) === true,
    webhook: webhook_url !== null,
    email: notification_email !== null,
  };
  return importDeliveryKinds.filter((kind) => wanted[kind]);
};

const { webhookTimeoutSeconds, emailSeconds } = limits.exports;

/** Time beside the call of a webhook itself: to read the secret, and to store the outcome. */
const MARGIN_SECONDS = 30;

const leases: Readonly<Record<ImportDeliveryKind, number>> = {
  result_files: limits.imports.resultFilesSeconds,
  webhook: webhookTimeoutSeconds + MARGIN_SECONDS,
  email: emailSeconds,
};

const senders = {
  result_files: writeResultFiles,
  webhook: callWebhook,
  email: mailImport,
} as const;

const attempt = async (
  deps: AnnounceDeps,
  job: ImportJob,
  kind: ImportDeliveryKind,
  progress: Progress,
): Promise<DeliverAnswer> => {
  const definition = await deps.imports.definitionOfJob(job);
  if (!definition) return deliveredAnswer;
  const send = async () => {
    const sums = await deps.imports.reasonSums(job.property, job.id);
    // The result of a dry run may name 1,000 segments, so the announcement leaves it to the route of the job.
    const view = jobDetailView(job, progress, { sums, dryRun: null });
    const ended: EndedImport = { job, definition, view };
    return senders[kind](deps, ended);
  };
  return makeAttempt(deps, deps.imports.importDelivery(job, kind), { leaseSeconds: leases[kind], send });
};
