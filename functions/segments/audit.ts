import { propertyScope } from '../../shared/auth/property-keys.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { audit, type AuditAnswer } from '../../shared/segments/audit/audit.ts';
import { journal } from '../../shared/segments/journal.ts';
import { membershipIndex } from '../../shared/segments/membership.ts';
import { segmentDeps } from './deps.ts';

/** Audits one window of a property, for the operator's command line. */
export const handler = withinInvocation(async (payload: unknown): Promise<AuditAnswer> => {
  const deps = segmentDeps();
  const answer = await audit(
    { ...deps, journal: journal(deps), scopeOf: propertyScope, newIndex: () => membershipIndex(deps) },
    payload,
  );
  systemLog(answer.ok ? 'operator.done' : 'operator.refused', {
    command: 'audit',
    outcome: answer.ok ? 'ok' : answer.error.code,
  });
  return answer;
});
