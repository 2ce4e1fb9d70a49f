import { listAuditLog } from '../../shared/audit/list-audit-log.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listAuditLog, listAuditLog, (env) => ({
  entries: auditLogFromEnv(env),
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
}));
