import { listAuditLog } from '../../shared/audit/list-audit-log.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listAuditLog, listAuditLog, (env) => ({
  entries: auditLogFromEnv(env),
  ...linkDeps(env),
}));
