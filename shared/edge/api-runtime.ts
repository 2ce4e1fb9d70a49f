/** API runtime: the ports of the wrapper of routes with a token. */
import { auditTrailFromEnv } from '../audit/trail-from-env.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { accountRate, type AccountRate } from '../rates/account-rate.ts';
import { processEnv } from '../runtime/env.ts';
import { credentialsFromEnv, ratesFromEnv, tableFromEnv } from '../table/dynamo-client.ts';
import type { Table } from '../table/table.ts';
import { systemRuntime, type HandlerRuntime } from './http-handler.ts';

/**
 * Ports of the wrapper itself: the credentials for tokens and properties, the request rate of accounts, the audit log,
 * and the table for idempotency records.
 */
export interface ApiRuntime extends HandlerRuntime {
  readonly rate: () => AccountRate;
  readonly audit: () => AuditTrail;
  readonly credentials: () => Table;
  readonly table: () => Table;
}

let rate: AccountRate | undefined;
let trail: AuditTrail | undefined;

/** The runtime of a Lambda function. Each port is opened at its first use: most entries name only some of them. */
export const systemApiRuntime: ApiRuntime = {
  ...systemRuntime,
  rate: () =>
    (rate ??= accountRate({
      ...systemRuntime,
      rates: ratesFromEnv(processEnv),
      perSecond: Number(processEnv('ACCOUNT_REQUESTS_PER_SECOND')),
    })),
  audit: () => (trail ??= auditTrailFromEnv(processEnv)),
  credentials: () => credentialsFromEnv(processEnv),
  table: () => tableFromEnv(processEnv),
};
