import type { AuditTrail } from '../audit/audit-trail.ts';
import type { PublicUseCase } from '../http/api-types.ts';
import { err, ok } from '../runtime/result.ts';
import { closed, linkOf, page, type ConfirmDeps } from './confirmation-page.ts';
import { markOf } from './mailboxes.ts';

export interface ConfirmAddressDeps extends ConfirmDeps {
  readonly audit: Pick<AuditTrail, 'tryAdd'>;
  /** The account of a property; `undefined` when the property is gone. */
  readonly ownerOf: (property: number) => Promise<number | undefined>;
}

/**
 * `POST confirmations/{capability}`: confirms the address that received the link. The link works once. Nobody signs in
 * here, so the entry of the audit log has the property and a mark of the address instead of a user.
 */
export const confirmAddress: PublicUseCase<ConfirmAddressDeps> = async (deps, request) => {
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  const { property, mailbox } = found.link;
  const account = await deps.ownerOf(property);
  if (account === undefined) return err(closed);
  if (!(await deps.mailboxes.useLink(found.capability, found.link, request.now))) return err(closed);
  await deps.audit.tryAdd(account, {
    time: request.now,
    action: 'POST /confirmations/{capability}',
    outcome: '200',
    request_id: request.requestId,
    property,
    source: request.sourceIp,
    ids: { address: markOf(mailbox) },
  });
  return ok(page('<p>Your address is confirmed. It gets mail when imports and exports end.</p>'));
};
