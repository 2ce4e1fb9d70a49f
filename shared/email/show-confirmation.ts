import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { closed, linkOf, page, type ConfirmDeps } from './confirmation-page.ts';

/**
 * `GET confirmations/{capability}`: a page with a button. The request changes nothing, because malware scanners open
 * every link in a mail. 403 for a link that was used, has expired or never existed.
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
      `<p>Property ${property} wants to send you mail when its imports and exports end.</p><form method="post"><button>Allow this mail</button></form>`,
    ),
  );
};
