import { escapeMarkup } from '../runtime/markup.ts';
import type { Ids } from '../runtime/ids.ts';
import { limits } from '../config/limits.ts';
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

/** What somebody allows with a confirmation. */
export const requestOf = (asker: string): string =>
  `${asker} wants to send mail to this address when its imports and exports of customer profiles end. Mail about an export has a link to the file, which may hold data of its customers.`;

/** How somebody ends what they have allowed. */
export const stopOf = (asker: string): string =>
  `To stop the mail later, ask ${asker} to remove your address.`;

const mailTo = ({ property, asker, address }: Asking, link: string): Mail => {
  const subject = `${asker} asks to send you mail about its imports and exports`;
  const request = `${requestOf(asker)} To allow this mail, open the link and press the button:`;
  const hint = `The link works once, for ${limits.exports.confirmationHours} hours. If you did not expect this mail, do nothing: nothing is sent but this question, once a day at most.`;
  const stop = `${stopOf(asker)} This mail comes from Tidemark, the service that ${asker} uses (property ${property}).`;
  const anchor = `<a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a>`;
  const paragraphs = [escapeMarkup(request), anchor, escapeMarkup(hint), escapeMarkup(stop)];
  return {
    to: address,
    subject,
    text: [request, '', link, '', hint, '', stop, ''].join('\r\n'),
    html: `<!doctype html><html lang="en"><body>${paragraphs.map((each) => `<p>${each}</p>`).join('')}</body></html>`,
  };
};
