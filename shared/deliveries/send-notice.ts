/** Send notice: makes one attempt to send a notice about an ended job to a confirmed address. */
import { askToConfirm, type AskDeps } from '../email/ask-to-confirm.ts';
import type { Mail } from '../email/mailer.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AttemptOutcome } from './delivery-state.ts';

export interface NoticeDeps extends AskDeps {
  readonly clock: Clock;
}

/** The owner of the address has not opened the confirmation link. */
const UNCONFIRMED = 'unconfirmed_address';

/** The confirmation was withdrawn, and no user has named the address since: not even a question goes out. */
const WITHDRAWN = 'withdrawn_address';

/** The property has used up its notices of this day. */
const TOO_MANY = 'too_many_mails_today';

/** The house of a property that is gone, whose last notice is under way. */
const UNNAMED = 'An account of Tidemark';

/** Sends a notice, which is told the name of the property's account. An unconfirmed address gets a confirmation link instead, and nothing about the job. */
export const sendNotice = async (
  deps: NoticeDeps,
  { property, to }: { readonly property: number; readonly to: string },
  notice: (house: string) => Promise<Mail>,
): Promise<AttemptOutcome> => {
  const { clock, mail, mailboxes, accountNameOf } = deps;
  const [state] = await mailboxes.states(property, [to]);
  if (state?.status === 'withdrawn') return { kind: 'failed', error: WITHDRAWN };
  if (state?.status !== 'confirmed') {
    await askToConfirm(deps, { property, address: to }, clock());
    return { kind: 'failed', error: UNCONFIRMED };
  }
  const message = await notice((await accountNameOf(property)) ?? UNNAMED);
  if (!(await mailboxes.mayMail(property, 'notice', clock()))) return { kind: 'failed', error: TOO_MANY };
  const outcome = await mail(message);
  return outcome.kind === 'sent' ? { kind: 'delivered' } : { kind: 'failed', error: outcome.reason };
};
