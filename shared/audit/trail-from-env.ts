import { systemClock } from '../runtime/clock.ts';
import { auditLogFromEnv } from '../table/dynamo-client.ts';
import { systemLog } from '../runtime/log.ts';
import { auditTrail, type AuditTrail } from './audit-trail.ts';

/** The audit log in the table that the function's environment names. Throws when it names none. */
export const auditTrailFromEnv = (): AuditTrail =>
  auditTrail({ entries: auditLogFromEnv(), log: systemLog, clock: systemClock });
