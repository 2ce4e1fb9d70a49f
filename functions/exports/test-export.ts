import { mailboxes } from '../../shared/email/mailboxes.ts';
import { limits } from '../../shared/config/limits.ts';
import { testExport } from '../../shared/exports/definitions/test-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { openClientBucket } from '../../shared/runtime/client-bucket.ts';
import { sftpProbe } from '../../shared/sftp/probe.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { privateTargets } from '../../shared/webhooks/address-settings.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.testExport, testExport, (env) => {
  const table = tableFromEnv(env);
  const network = { resolve: systemResolve, privateTargets: privateTargets(env) };
  return {
    table,
    exports: exportRepository(table),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    clock: systemClock,
    ids: systemIds,
    openBucket: openClientBucket,
    accountArn: env('ACCOUNT_ARN'),
    probe: sftpProbe(network),
    send: webhookSender({ ...network, timeoutMs: limits.exports.testWebhookSeconds * 1000 }),
    mailboxes: mailboxes(table),
  };
});
