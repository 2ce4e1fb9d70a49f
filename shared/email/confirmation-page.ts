import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Mailboxes } from './mailboxes.ts';

/** What opening a confirmation link needs. */
export interface ConfirmDeps {
  readonly mailboxes: Mailboxes;
}

const closed: Problem = {
  status: 403,
  code: 'link_closed',
  detail: 'This link was used already, is over, or never was one.',
};

/** What a capability looks like: 32 bytes in base64url. */
const form = /^[\w-]{43}$/;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const page = (content: string): ApiAnswer => ({
  status: 200,
  headers,
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tidemark</title>${content}</html>`,
});

const linkOf = async ({ mailboxes }: ConfirmDeps, { path, now }: PublicRequest) => {
  const { capability = '' } = path;
  const link = form.test(capability) ? await mailboxes.link(capability, now) : undefined;
  return link && { capability, link };
};

/**
 * `GET confirmations/{capability}`: a page with a button. It changes nothing, because programs that check mails for malware
 * open every link in them. 403 for a link that was used, is over or never was.
 */
export const showConfirmation = async (
  deps: ConfirmDeps,
  request: PublicRequest,
): Promise<Result<ApiAnswer, Problem>> => {
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  const { property } = found.link;
  return ok(
    page(
      `<p>Property ${property} wants to tell your address when its exports are ready.</p><form method="post"><button>Allow these notices</button></form>`,
    ),
  );
};

/** `POST confirmations/{capability}`: confirms the address that the link went to. The link works once. */
export const confirmAddress = async (
  deps: ConfirmDeps,
  request: PublicRequest,
): Promise<Result<ApiAnswer, Problem>> => {
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  await deps.mailboxes.useLink(found.capability, found.link, request.now);
  return ok(page('<p>Your address is confirmed. Notices of finished exports will come to it.</p>'));
};
