/** Confirmation: the page behind the link of a mail, with which the owner of an address confirms it. */
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { ApiAnswer, PublicRequest, PublicUseCase } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { isCapability } from '../runtime/capability.ts';
import { escapeMarkup } from '../runtime/markup.ts';
import { err, ok } from '../runtime/result.ts';
import { requestOf, stopOf } from './ask-to-confirm.ts';
import { markOf, type Mailboxes } from './mailboxes.ts';

export interface ConfirmDeps {
  readonly mailboxes: Mailboxes;
}

/** The problem of a link that does not open. */
const closed: Problem = {
  status: 403,
  code: 'link_closed',
  detail: 'This link was used already, is over, or never was one.',
};

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A page of the service around some content. */
const page = (content: string): ApiAnswer => ({
  status: 200,
  headers,
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tidemark</title>${content}</html>`,
});

/** The link that the path of a request names, while it works; `undefined` otherwise. */
const linkOf = async ({ mailboxes }: ConfirmDeps, { path, now }: PublicRequest) => {
  const { capability = '' } = path;
  const link = isCapability(capability) ? await mailboxes.link(capability, now) : undefined;
  return link && { capability, link };
};

/**
 * `GET confirmations/{capability}`: a page with a button. The request changes nothing, because malware scanners open
 * every link in a mail. 403 for a link that was used, has expired or never existed.
 */
export const showConfirmation: PublicUseCase<ConfirmDeps> = async (deps, request) => {
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  const { property, asker = `Property ${property}` } = found.link;
  return ok(
    page(
      `<p>${escapeMarkup(requestOf(asker))}</p><p>${escapeMarkup(stopOf(asker))}</p><form method="post"><button>Allow this mail</button></form>`,
    ),
  );
};

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
