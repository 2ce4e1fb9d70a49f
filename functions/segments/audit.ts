import { auditCommand } from '../../shared/operator/audit-command.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { propertyScope } from '../../shared/properties/property-keys.ts';
import { systemSurroundings } from '../../shared/edge/lambda.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { audit, type AuditAnswer } from '../../shared/membership/audit/audit.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
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
  return auditCommand(told, payload, (command) =>
    audit({ ...deps, ...index, scopeOf: propertyScope }, command),
  );
});
