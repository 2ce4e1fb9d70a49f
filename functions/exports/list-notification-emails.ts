import { listNotificationEmails } from '../../shared/deliveries/notice-addresses.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { exportNotices } from '../../shared/exports/model/notice-definitions.ts';
import { importNotices } from '../../shared/imports/repository/stored-items.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './address-entries.ts';

export const handler = apiHandler(entries.listNotificationEmails, listNotificationEmails, (env) => {
  const table = tableFromEnv(env);
  return {
    mailboxes: mailboxes(table),
    imports: importNotices(table),
    exports: exportNotices(table),
    ...linkDeps(env),
  };
});
