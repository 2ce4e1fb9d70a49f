import { auditCommand } from '../../shared/operator/audit-command.ts';
import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { audit, type AuditAnswer } from '../../shared/membership/audit/audit.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { memberDeps } from './deps.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.auditIndex> = processEnv;

/**
 * Index audit: compares one window of a property's membership index with the profiles, for the operator's command line.
 */
export const handler = withinInvocation(async (payload: unknown): Promise<AuditAnswer> => {
  const deps = memberDeps(env);
  const index = { journal: journal(deps), newIndex: () => membershipIndex(deps) };
  const told = {
    ...systemRuntime,
    credentials: credentialsFromEnv(env),
    audit: auditTrailFromEnv(env),
  };
  return auditCommand(told, payload, (command) =>
    audit({ ...deps, ...index, scopeOf: scopesFromEnv(env) }, command),
  );
});
