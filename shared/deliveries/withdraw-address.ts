import { addressMark, type Mailboxes } from '../email/mailboxes.ts';
import type { UseCase } from '../http/api-types.ts';
import { ok } from '../runtime/result.ts';
import type { AddressQuery } from './address-schemas.ts';

/**
 * `DELETE notification-emails`: the property mails the address no more, not even a question, until a user names it anew.
 * An address that nobody has confirmed is barred as well, so the answer does not depend on what was before.
 */
export const withdrawAddress: UseCase<
  { readonly mailboxes: Pick<Mailboxes, 'withdraw'> },
  AddressQuery
> = async ({ mailboxes }, { property, query: { notification_email }, now }) => {
  await mailboxes.withdraw(property.id, notification_email, now);
  return ok({
    status: 200,
    body: { notification_email, status: 'withdrawn' },
    audited: { address: addressMark(notification_email) },
  });
};
