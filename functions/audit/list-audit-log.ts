import { listAuditLog as useCase } from '../../shared/audit/list-audit-log.ts';
import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { listAuditLog } from './entries.ts';

export const handler = apiHandler(listAuditLog, () => {
  const deps = { entries: auditLogFromEnv(), scopeOf: propertyScope, baseUrl: env('BASE_URL') };
  return (request) => useCase(deps, request);
});
