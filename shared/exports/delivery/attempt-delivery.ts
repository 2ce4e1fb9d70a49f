/** Attempt delivery: makes one attempt at a delivery of an export job that has ended. */
import {
  type AttemptDeps,
  type DeliverAnswer,
  deliveredAnswer,
  makeAttempt,
} from '../../deliveries/make-attempt.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import type { DeliveryKind, ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requireJob } from '../model/named-items.ts';
import { isOpen } from '../model/transitions.ts';
import { forgottenOutcome, type ForgottenDeps } from '../parts/forgotten-members.ts';

export interface DeliveryDeps extends AttemptDeps, ForgottenDeps {
  readonly exports: ExportRepository;
}

interface Attempt {
  readonly kind: DeliveryKind;
  /** Whether the delivery is about the file of the job: of a complete job without one, nobody hears. */
  readonly needsFile: boolean;
  /** Lease of an attempt. An attempt that reported no outcome by then was interrupted. */
  readonly leaseSeconds: number;
  /** Sends by the definition that the job worked by. `begun` is the number of the attempt. */
  readonly send: (job: ExportJob, definition: ExportDefinition, begun: number) => Promise<AttemptOutcome>;
  /** What follows when the time for attempts is over. */
  readonly givenUp?: string;
}

/**
 * Makes one attempt at a delivery if it is due. A deleted export sends nothing more, a cancelled job sends nothing, and no
 * attempt that needs the file begins once somebody in it was forgotten.
 * Throws while the job is open: a notice must not come before the file.
 */
export const attemptDelivery = async (
  deps: DeliveryDeps,
  ref: JobRef,
  { kind, needsFile, leaseSeconds, send, givenUp }: Attempt,
): Promise<DeliverAnswer> => {
  const { exports } = deps;
  const { value: job } = await requireJob(exports, ref);
  if (isOpen(job)) throw new Error('exports: the job has not ended');
  const isWanted = job.status !== 'cancelled' && (await exports.definition(ref.property, ref.export));
  if (!isWanted) return deliveredAnswer;
  const stored = {
    read: () => exports.attempts(ref, kind),
    update: exports.updateDelivery.bind(undefined, ref),
  };
  return makeAttempt(deps, stored, {
    leaseSeconds,
    givenUp,
    send: async (begun) => {
      if (needsFile && job.status === 'complete' && !job.file) return nothingToSend;
      if (needsFile && (await deps.hasForgotten(job))) return forgottenOutcome;
      const definition = await exports.frozenDefinition(ref);
      return definition ? send(job, definition, begun) : expiredJob;
    },
  });
};

/** The outcome for a job that has no file, because it has no rows: nobody hears of it. */
const nothingToSend: AttemptOutcome = { kind: 'delivered', remark: 'the job has no rows: nothing was sent' };

const expiredJob = permanentFailure('the job is too long ago');
