/** Unsubscribe links: every mail about jobs has one, by which its reader ends these mails. No table holds it. */
import * as v from 'valibot';
import { openCursor, sealCursor } from '../http/cursor.ts';
import type { PropertyScopes } from '../properties/property-keys.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { named, unless } from '../runtime/unless.ts';
import { addressHash } from './mailboxes.ts';

/**
 * What the seal is for: no cursor opens as an unsubscribe link, and no such link as a cursor. It still says "stop", so that
 * links in mails that were sent keep working.
 */
const PURPOSE = 'mail/stop';

/** Whose mail a link ends, and to whom: the address by its hash. */
export interface Unsubscription {
  readonly property: number;
  readonly mailbox: string;
}

/** The link that ends the mail of a property to an address. It always works, and is the same in every mail. */
export const unsubscribeLink = (baseUrl: string, { id, keys }: PropertyScope, address: string): string =>
  `${baseUrl}/confirmations/${id}.${sealCursor(keys.cursors, PURPOSE, addressHash(address))}`;

const form = /^(\d{1,15})\.([\w-]+)$/;

/**
 * Whose mail the last part of a link ends, and to whom; `undefined` for a text that this service has not sealed, or of a
 * property that is gone.
 */
export const openUnsubscribeLink = async (
  scopeOf: PropertyScopes,
  text: string,
): Promise<Unsubscription | undefined> => {
  const [, id, sealed = ''] = form.exec(text) ?? [];
  if (id === undefined) return undefined;
  const property = Number(id);
  const scope = await unless(named('NoPropertyDataError'), () => scopeOf(property));
  const mailbox = scope && openCursor(scope.keys.cursors, PURPOSE, sealed, v.string());
  return mailbox === undefined ? undefined : { property, mailbox };
};
