import { tellCommand } from '../../shared/audit/operator-entry.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { propertyScope } from '../../shared/auth/property-keys.ts';
import { systemSurroundings } from '../../shared/http/lambda.ts';
import { credentialsFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { audit, type AuditAnswer } from '../../shared/segments/audit/audit.ts';
import { journal } from '../../shared/segments/journal.ts';
import { membershipIndex } from '../../shared/segments/membership.ts';
import { segmentDeps } from './deps.ts';

/** Audits one window of a property, for the operator's command line. */
export const handler = withinInvocation(async (payload: unknown): Promise<AuditAnswer> => {
  const deps = segmentDeps();
  const index = { journal: journal(deps), newIndex: () => membershipIndex(deps) };
  const told = {
    ...systemSurroundings,
    credentials: credentialsFromEnv(),
    audit: auditTrailFromEnv(),
  };
  return tellCommand(told, payload, (command) =>
    audit({ ...deps, ...index, scopeOf: propertyScope }, command),
  );
});
