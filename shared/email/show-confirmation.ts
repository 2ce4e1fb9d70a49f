import type { PublicUseCase } from '../http/api-types.ts';
import { err, ok } from '../runtime/result.ts';
import { requestOf, stopOf } from './ask-to-confirm.ts';
import { escapeMarkup } from '../runtime/markup.ts';
import { closed, linkOf, page, type ConfirmDeps } from './confirmation-page.ts';

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
