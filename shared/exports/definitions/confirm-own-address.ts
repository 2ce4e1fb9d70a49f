import { mailboxOf } from '../../email/mailbox.ts';
import { mailboxes } from '../../email/mailboxes.ts';
import type { ApiRequest } from '../../http/api-types.ts';
import type { Table } from '../../table/table.ts';
import type { ExportBody } from '../model/schemas.ts';

const folded = (address: string): string | undefined => mailboxOf(address)?.toLowerCase();

/** Confirms the address for notices when it is the own address of the user who names it: the operator vouches for users. */
export const confirmOwnAddress = async (
  table: Table,
  { property, user, body, now }: Pick<ApiRequest<unknown, ExportBody>, 'property' | 'user' | 'body' | 'now'>,
): Promise<void> => {
  const address = body.notification_email;
  if (address !== null && folded(address) === folded(user.email))
    await mailboxes(table).confirm(property.id, address, now);
};
