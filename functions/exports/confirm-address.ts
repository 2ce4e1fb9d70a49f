import { confirmAddress as confirmAddressUseCase } from '../../shared/email/confirmation-page.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { confirmAddress } from './delivery-entries.ts';

export const handler = publicHandler(confirmAddress, () => {
  const deps = { mailboxes: mailboxes(tableFromEnv()) };
  return (request) => confirmAddressUseCase(deps, request);
});
