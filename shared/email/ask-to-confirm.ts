import type { Ids } from '../runtime/ids.ts';
import { limits } from '../config/limits.ts';
import { laidOut } from './mail-layout.ts';
import type { Mail, Mailer } from './mailer.ts';
import type { Asking, Mailboxes } from './mailboxes.ts';

export interface AskDeps {
  readonly mailboxes: Mailboxes;
  readonly mail: Mailer;
  readonly ids: Ids;
  readonly baseUrl: string;
  /** The name of the account of a property; `undefined` when the property is gone. */
  readonly accountNameOf: (property: number) => Promise<string | undefined>;
}

const CAPABILITY_BYTES = 32;

/**
 * Sends a confirmation link to an address, unless a link went out lately or the property has used up its confirmation
 * mails of the day. The mail holds neither data of the property nor text of a client: an operator names the account.
 */
export const askToConfirm = async (
  { mailboxes, mail, ids, baseUrl, accountNameOf }: AskDeps,
  { property, address }: { readonly property: number; readonly address: string },
  now: number,
): Promise<void> => {
  if (!(await mailboxes.claimAsking(property, address, now))) return;
  const capability = Buffer.from(ids.hex(CAPABILITY_BYTES), 'hex').toString('base64url');
  const isAllowed = await mailboxes.mayMail(property, 'confirmation', now);
  const asker = isAllowed ? await accountNameOf(property) : undefined;
  const asking = asker === undefined ? undefined : { property, asker, address };
  if (asking) await mailboxes.addLink(capability, asking, now);
  const sent = asking && (await mail(mailTo(asking, `${baseUrl}/confirmations/${capability}`)));
  if (!sent || sent.kind === 'failed') await mailboxes.releaseAsking(property, address, now);
};

/** What the mail and the page ask. */
export const questionOf = (asker: string): string => `May ${asker} send you mail?`;

/** What comes, and how it ends: names and sentences. */
export const terms = [
  ['What comes', 'A mail when an import or an export of customer data ends'],
  ['What is in it', 'Numbers and, for an export, a link to its file'],
  ['To unsubscribe', 'Each mail has a link for that'],
] as const;

/** Why a mail about a job came. */
export const reasonOf = (asker: string): string =>
  `You get this mail because the owner of this address allowed ${asker} to send it.`;

/** Who stands behind the question, for somebody who knows neither. */
export const originOf = (asker: string): string =>
  `${asker} uses Tidemark, a service that keeps its customer data.`;

const mailTo = ({ asker, address }: Asking, link: string): Mail =>
  laidOut({
    to: address,
    subject: questionOf(asker),
    house: asker,
    title: questionOf(asker),
    lead: `${asker} wants to send mail to ${address}.`,
    link: { label: 'Answer yes or no', address: link },
    hint: `The link works once, for ${limits.exports.confirmationHours} hours.`,
    facts: terms,
    details: [],
    unsubscribe: null,
    foot: `You do not know ${asker}? Do nothing: nothing is sent but this question, once a day at most. ${originOf(asker)}`,
  });
