import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { closed, linkOf, page, type ConfirmDeps } from './confirmation-page.ts';

/** `POST confirmations/{capability}`: confirms the address that received the link. The link works once. */
export const confirmAddress = async (
  deps: ConfirmDeps,
  request: PublicRequest,
): Promise<Result<ApiAnswer, Problem>> => {
  const found = await linkOf(deps, request);
  if (!found) return err(closed);
  await deps.mailboxes.useLink(found.capability, found.link, request.now);
  return ok(page('<p>Your address is confirmed. It gets mail when imports and exports end.</p>'));
};
