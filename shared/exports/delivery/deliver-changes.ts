/** Deliver changes: tells the receiver of an export who came and who left, in calls that a later attempt continues. */
import { callSigned, type CallDeps } from '../../deliveries/call-webhook.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { gather } from '../../runtime/bytes.ts';
import { limits } from '../../config/limits.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { ExportDefinition, ExportJob, ExportPlan, JobRef, Taken } from '../model/items.ts';
import { requirePlan } from '../model/named-items.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { fileToSend, leaseOf, type FileDeps, type FileToSend } from './attempt-file.ts';
import { changesBody, changesMessageId, isTaken, nextCall, type ChangeCall } from './change-calls.ts';
import { forgottenFilter, type ForgottenInCallsDeps } from './forgotten-in-calls.ts';
import { isOvertaken } from './replay-changes.ts';

export interface ChangesDeps extends FileDeps, CallDeps, ForgottenInCallsDeps {}

/**
 * Tells the changes of a job to the receiver of its export, one call after the other, and notes after each call what was
 * taken. If they are too many for one attempt, the next attempt continues. A call whose answer was lost, or whose note, is
 * repeated with its id and the same people. Of those who were forgotten since it tells nothing but that they are gone, so
 * a forgetting ends no delivery. A job tells nothing more once a later one has begun, the export has another receiver, or
 * the table was restored to a time before its plan: nobody knows then what was told.
 */
export const deliverChanges = (deps: ChangesDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'changes',
    needsFile: false,
    leaseSeconds: leaseOf(deps),
    givenUp,
    send: async (job, definition, begun) => {
      // A failed job has told nothing, and names nobody.
      if (job.status !== 'complete') return permanentFailure('the job has no changes to tell');
      const outgoing = await outgoingOf(deps, job, definition);
      return 'kind' in outgoing ? outgoing : tellAll(deps, outgoing, begun);
    },
  });

const givenUp =
  'given up: the next job tells the difference to what was taken before, and whoever this one named';

/** The changes of a job on their way. */
interface Outgoing {
  readonly job: ExportJob;
  readonly definition: ExportDefinition;
  readonly plan: ExportPlan;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly bytes: number;
  readonly read: FileToSend['read'];
}

/** What an attempt tells; or its outcome, if there is nothing to tell or nothing can be told. */
const outgoingOf = async (
  deps: ChangesDeps,
  job: ExportJob,
  definition: ExportDefinition,
): Promise<Outgoing | AttemptOutcome> => {
  const { changes, webhook_secret } = definition;
  if (!changes || !webhook_secret) throw new Error('exports: a delivery without a receiver of changes');
  const plan = requirePlan(job);
  // A receiver that has to discard what it knows hears of it, also without rows.
  const isHeard = plan.base === null && !plan.silent;
  if (!job.file && !isHeard) return { kind: 'delivered' };
  const file = job.file ? await fileToSend(deps.files, job, definition) : undefined;
  if (file?.ok === false) return permanentFailure(file.error);
  const secret = await deps.keyService.decrypt(webhook_secret, secretContext(job.property, job.export));
  const { bytes, read } = file?.value ?? emptyFile;
  return { job, definition, plan, url: changes.url, secret, bytes, read };
};

async function* noBytes(): AsyncGenerator<Uint8Array, void> {
  // A job without rows has no file.
}
const emptyFile = { bytes: 0, read: noBytes };

/** Makes the calls that are left, until the time of the attempt is over. */
const tellAll = async (deps: ChangesDeps, outgoing: Outgoing, begun: number): Promise<AttemptOutcome> => {
  const { job, bytes } = outgoing;
  const ends = deps.clock() + deps.attemptSeconds * 1000;
  const withoutForgotten = forgottenFilter(deps, outgoing);
  let before = takenOf(await deps.exports.delivery(job, 'changes'));
  while (!isTaken(before, bytes)) {
    if (deps.clock() >= ends) return { kind: 'paused' };
    if (await isOvertaken(deps, job)) return permanentFailure(overtaken);
    const call = await withoutForgotten(await readCall(outgoing, before));
    const outcome = await tell(deps, outgoing, call);
    if (outcome.kind === 'permanent_failure') return { ...outcome, error: `${outcome.error}; ${givenUp}` };
    if (outcome.kind !== 'delivered') return outcome;
    const { after } = call;
    // Refused when a later attempt has begun: it goes on from what is noted.
    if ((await deps.exports.noteTaken(job, begun, { before, after })) === 'refused')
      return { kind: 'paused' };
    before = after;
  }
  return { kind: 'delivered' };
};

const overtaken =
  'a newer job has begun, the export was deleted or has another receiver of changes, or the table was restored';

const takenOf = (seen: { readonly value: Partial<Taken> } | undefined): Taken => {
  const { part = 0, offset = 0, sent = 0 } = seen?.value ?? {};
  return { part, offset, sent };
};

/** Reads the next call. A line may be longer than the changes of other calls together. */
const readCall = async ({ bytes, read }: Outgoing, taken: Taken): Promise<ChangeCall> => {
  for (let ahead = limits.exports.changesBytes; ; ahead *= 2) {
    const to = Math.min(taken.offset + ahead, bytes);
    const call = nextCall(taken, await gather(read(taken.offset, to)), bytes);
    if (call) return call;
    if (to === bytes) throw new Error('exports: the last line of a file has no end');
  }
};

const tell = (deps: ChangesDeps, { job, plan, url, secret }: Outgoing, call: ChangeCall) =>
  callSigned(deps, secret, {
    url,
    id: changesMessageId(job, call.part),
    body: changesBody(job, plan, call),
  });
