import { showConfirmation } from '../../shared/email/confirmation.ts';
import { writeProblemPage } from '../../shared/email/confirmation-page.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './address-entries.ts';

export const handler = publicHandler(
  entries.showConfirmation,
  showConfirmation,
  (env) => ({ mailboxes: mailboxes(tableFromEnv(env)) }),
  { failure: writeProblemPage },
);
