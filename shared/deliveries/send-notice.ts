/** Send notice: makes one attempt to send a notice about an ended job to a confirmed address. */
import { askToConfirm, type AskDeps } from '../email/ask-to-confirm.ts';
import type { Mail } from '../email/mailer.ts';
import { unsubscribeLink } from '../email/unsubscribe-link.ts';
import type { PropertyScopes } from '../properties/property-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import { named, unless } from '../runtime/unless.ts';
import type { AttemptOutcome } from './delivery-state.ts';

export interface NoticeDeps extends AskDeps {
  readonly clock: Clock;
  readonly scopeOf: PropertyScopes;
  /** The address of the console; `undefined` in a stage without it. */
  readonly consoleUrl: string | undefined;
}

/** What a notice says about its sender. */
export interface NoticeSender {
  /** The name of the account of the property. */
  readonly house: string;
  /** The link by which its reader ends such mails; `null` once the property is gone. */
  readonly unsubscribe: string | null;
}

/** The owner of the address has not opened the confirmation link. */
const UNCONFIRMED = 'unconfirmed_address';

/** The confirmation was withdrawn, and no user has named the address since: not even a question goes out. */
const WITHDRAWN = 'withdrawn_address';

/** The property has used up its notices of this day. */
const TOO_MANY = 'too_many_mails_today';

/** The house of a property that is gone, whose last notice is under way. */
const UNNAMED = 'An account of Tidemark';

/**
 * Sends a notice, which is told from whom it comes. An unconfirmed address gets a confirmation link instead, and nothing about
 * the job.
 */
export const sendNotice = async (
  deps: NoticeDeps,
  { property, to }: { readonly property: number; readonly to: string },
  notice: (sender: NoticeSender) => Promise<Mail>,
): Promise<AttemptOutcome> => {
  const { clock, mail, mailboxes, accountNameOf } = deps;
  const [state] = await mailboxes.states(property, [to]);
  if (state?.status === 'withdrawn') return { kind: 'failed', error: WITHDRAWN };
  if (state?.status !== 'confirmed') {
    await askToConfirm(deps, { property, address: to }, clock());
    return { kind: 'failed', error: UNCONFIRMED };
  }
  const house = (await accountNameOf(property)) ?? UNNAMED;
  const scope = await unless(named('NoPropertyDataError'), () => deps.scopeOf(property));
  const unsubscribe = scope ? unsubscribeLink(deps.baseUrl, scope, to) : null;
  const message = await notice({ house, unsubscribe });
  if (!(await mailboxes.mayMail(property, 'notice', clock()))) return { kind: 'failed', error: TOO_MANY };
  const outcome = await mail(message);
  return outcome.kind === 'sent' ? { kind: 'delivered' } : { kind: 'failed', error: outcome.reason };
};
