import { withdrawAddress } from '../../shared/deliveries/notice-addresses.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './address-entries.ts';

export const handler = apiHandler(entries.withdrawNotificationEmail, withdrawAddress, (env) => ({
  mailboxes: mailboxes(tableFromEnv(env)),
}));
