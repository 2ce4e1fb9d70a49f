import { confirmAddress } from '../../shared/email/confirm-address.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './delivery-entries.ts';

export const handler = publicHandler(entries.confirmAddress, confirmAddress, (env) => ({
  mailboxes: mailboxes(tableFromEnv(env)),
}));
