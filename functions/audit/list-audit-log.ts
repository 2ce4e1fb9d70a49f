import { listAuditLog as useCase } from '../../shared/audit/list-audit-log.ts';
import { propertyScope } from '../../shared/auth/property-keys.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { auditLogFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { listAuditLog } from './entries.ts';

export const handler = apiHandler(listAuditLog, () => {
  const deps = { entries: auditLogFromEnv(), scopeOf: propertyScope, baseUrl: env('BASE_URL') };
  return (request) => useCase(deps, request);
});
