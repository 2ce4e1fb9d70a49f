import { showConfirmation as showConfirmationUseCase } from '../../shared/email/confirmation-page.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { showConfirmation } from './delivery-entries.ts';

export const handler = publicHandler(showConfirmation, () => {
  const deps = { mailboxes: mailboxes(tableFromEnv()) };
  return (request) => showConfirmationUseCase(deps, request);
});
