/** Confirmation: the page behind the link of a mail, with which the owner of an address confirms it. */
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { ApiAnswer, PublicRequest, PublicUseCase } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import type { PropertyScopes } from '../properties/property-keys.ts';
import { isCapability } from '../runtime/capability.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { visibleLine } from '../runtime/visible-text.ts';
import { confirmedPage, DECLINE, declinedPage, questionPage, unsubscribePage } from './confirmation-page.ts';
import { markOf, type Confirmation, type Mailboxes } from './mailboxes.ts';
import { openUnsubscribeLink, type Unsubscription } from './unsubscribe-link.ts';

export interface ConfirmDeps {
  readonly mailboxes: Mailboxes;
  readonly scopeOf: PropertyScopes;
  /** The name of the account of a property; `undefined` when the property is gone. */
  readonly accountNameOf: (property: number) => Promise<string | undefined>;
}

/** The problem of a link that does not open. */
const closed: Problem = {
  status: 403,
  code: 'link_closed',
  detail: 'This link was used already, is over, or never was one.',
};

/** The link that the path of a request names, while it works; `undefined` otherwise. */
const linkOf = async ({ mailboxes }: ConfirmDeps, { path, now }: PublicRequest) => {
  const { capability = '' } = path;
  const link = isCapability(capability) ? await mailboxes.link(capability, now) : undefined;
  return link && { capability, link };
};

/**
 * `GET confirmations/{capability}`: a page with a button, which confirms the address or unsubscribes it. The request
 * changes nothing, because malware scanners open every link in a mail. 403 for a link that was used, has expired or never
 * existed.
 */
export const showConfirmation: PublicUseCase<ConfirmDeps> = async (deps, request) => {
  const unsubscription = await unsubscriptionOf(deps, request);
  const house = unsubscription && (await deps.accountNameOf(unsubscription.property));
  if (house !== undefined) return ok(unsubscribePage(visibleLine(house)));
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  return ok(questionPage(askerOf(found.link)));
};

/** The mails that the path of a request ends; `undefined` for other links. */
const unsubscriptionOf = ({ scopeOf }: ConfirmDeps, { path: { capability = '' } }: PublicRequest) =>
  openUnsubscribeLink(scopeOf, capability);

/** Who asks. Links of release 0.2.0 do not say it. */
const askerOf = ({ asker = 'An account of Tidemark' }: Confirmation): string => visibleLine(asker);

export interface ConfirmAddressDeps extends ConfirmDeps {
  readonly audit: Pick<AuditTrail, 'tryAdd'>;
  /** The account of a property; `undefined` when the property is gone. */
  readonly ownerOf: (property: number) => Promise<number | undefined>;
}

/**
 * `POST confirmations/{capability}`: confirms the address that received the link; with `answer=no`, withdraws it instead.
 * The link works once; an unsubscribe link works always. Nobody signs in here, so the entry of the audit log has the
 * property and a mark of the address instead of a user.
 */
export const confirmAddress: PublicUseCase<ConfirmAddressDeps> = async (deps, request) => {
  const unsubscription = await unsubscriptionOf(deps, request);
  if (unsubscription) return unsubscribe(deps, request, unsubscription);
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  const { property, mailbox } = found.link;
  const account = await deps.ownerOf(property);
  if (account === undefined) return err(closed);
  const declines = request.rawQuery === DECLINE;
  const use = declines ? deps.mailboxes.declineLink : deps.mailboxes.useLink;
  if (!(await use(found.capability, found.link, request.now))) return err(closed);
  await record(deps, request, { account, outcome: declines ? 'declined' : '200', property, mailbox });
  return ok((declines ? declinedPage : confirmedPage)(askerOf(found.link)));
};

const unsubscribe = async (
  deps: ConfirmAddressDeps,
  request: PublicRequest,
  unsubscription: Unsubscription,
): Promise<Result<ApiAnswer, Problem>> => {
  const account = await deps.ownerOf(unsubscription.property);
  const house = await deps.accountNameOf(unsubscription.property);
  if (account === undefined || house === undefined) return err(closed);
  if (await deps.mailboxes.unsubscribe(unsubscription, request.now))
    await record(deps, request, { account, outcome: 'declined', ...unsubscription });
  return ok(declinedPage(visibleLine(house)));
};

const record = (
  { audit }: ConfirmAddressDeps,
  { now, requestId, sourceIp }: PublicRequest,
  {
    account,
    outcome,
    property,
    mailbox,
  }: Unsubscription & { readonly account: number; readonly outcome: string },
): Promise<void> =>
  audit.tryAdd(account, {
    time: now,
    action: 'POST /confirmations/{capability}',
    outcome,
    request_id: requestId,
    property,
    source: sourceIp,
    ids: { address: markOf(mailbox) },
  });
