import { accountNameOf } from '../../shared/auth/accounts.ts';
import { showConfirmation } from '../../shared/email/confirmation.ts';
import { writeProblemPage } from '../../shared/email/confirmation-page.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './address-entries.ts';

export const handler = publicHandler(
  entries.showConfirmation,
  showConfirmation,
  (env) => ({
    mailboxes: mailboxes(tableFromEnv(env)),
    scopeOf: scopesFromEnv(env),
    accountNameOf: (property) => accountNameOf(credentialsFromEnv(env), property),
  }),
  { failure: writeProblemPage },
);
