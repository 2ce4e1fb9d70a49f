/** Stop links: every mail about jobs has one, by which its reader ends these mails. No table holds it. */
import * as v from 'valibot';
import { openCursor, sealCursor } from '../http/cursor.ts';
import type { PropertyScopes } from '../properties/property-keys.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { named, unless } from '../runtime/unless.ts';
import { addressHash } from './mailboxes.ts';

/** What the seal is for: no cursor opens as a stop link, and no stop link as a cursor. */
const PURPOSE = 'mail/stop';

/** Whose mail to whom a link stops: the address by its hash. */
export interface Stop {
  readonly property: number;
  readonly mailbox: string;
}

/** The link that stops the mail of a property to an address. It always works, and is the same in every mail. */
export const stopLink = (baseUrl: string, { id, keys }: PropertyScope, address: string): string =>
  `${baseUrl}/confirmations/${id}.${sealCursor(keys.cursors, PURPOSE, addressHash(address))}`;

const form = /^(\d{1,15})\.([\w-]+)$/;

/** What a text of an address stops; `undefined` for a text that this service has not sealed, or of a property that is gone. */
export const openStop = async (scopeOf: PropertyScopes, text: string): Promise<Stop | undefined> => {
  const [, id, sealed = ''] = form.exec(text) ?? [];
  if (id === undefined) return undefined;
  const property = Number(id);
  const scope = await unless(named('NoPropertyDataError'), () => scopeOf(property));
  const mailbox = scope && openCursor(scope.keys.cursors, PURPOSE, sealed, v.string());
  return mailbox === undefined ? undefined : { property, mailbox };
};
