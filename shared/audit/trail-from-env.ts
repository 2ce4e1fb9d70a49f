import { systemClock } from '../runtime/clock.ts';
import { auditLogFromEnv } from '../table/dynamo-client.ts';
import { systemLog } from '../runtime/log.ts';
import { auditTrail, type AuditTrail } from './audit-trail.ts';
import type { Env } from '../runtime/env.ts';

/** The audit log in the table that the environment of a function names. Throws when it names none. */
export const auditTrailFromEnv = (env: Env<'AUDIT_LOG_TABLE_NAME'>): AuditTrail =>
  auditTrail({ entries: auditLogFromEnv(env), log: systemLog, clock: systemClock });
