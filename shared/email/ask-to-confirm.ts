import { escapeMarkup } from '../runtime/markup.ts';
import type { Ids } from '../runtime/ids.ts';
import { limits } from '../config/limits.ts';
import type { Mail, Mailer } from './mailer.ts';
import type { Mailboxes } from './mailboxes.ts';

export interface AskDeps {
  readonly mailboxes: Mailboxes;
  readonly mail: Mailer;
  readonly ids: Ids;
  readonly baseUrl: string;
}

const CAPABILITY_BYTES = 32;

/**
 * Sends a confirmation link to an address, unless a link went out lately or the property has used up its confirmation
 * mails of the day. The mail holds neither data of the property nor text of a client.
 */
export const askToConfirm = async (
  { mailboxes, mail, ids, baseUrl }: AskDeps,
  { property, address }: { readonly property: number; readonly address: string },
  now: number,
): Promise<void> => {
  if (!(await mailboxes.claimAsking(property, address, now))) return;
  const capability = Buffer.from(ids.hex(CAPABILITY_BYTES), 'hex').toString('base64url');
  const isAllowed = await mailboxes.mayMail(property, 'confirmation', now);
  if (isAllowed) await mailboxes.addLink(capability, property, address, now);
  const sent = isAllowed && (await mail(mailTo(address, property, `${baseUrl}/confirmations/${capability}`)));
  if (!sent || sent.kind === 'failed') await mailboxes.releaseAsking(property, address, now);
};

const mailTo = (to: string, property: number, link: string): Mail => {
  const subject = 'Confirm this address for mail about imports and exports';
  const request = `Property ${property} of Tidemark wants to send mail to this address when its imports and exports end. Mail about an export contains a link to the file. To allow this mail, open the link and press the button:`;
  const hint = `The link works once, for ${limits.exports.confirmationHours} hours. If you did not expect this mail, do nothing.`;
  const anchor = `<a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a>`;
  return {
    to,
    subject,
    text: [request, '', link, '', hint, ''].join('\r\n'),
    html: `<!doctype html><html lang="en"><body><p>${request}</p><p>${anchor}</p><p>${hint}</p></body></html>`,
  };
};
