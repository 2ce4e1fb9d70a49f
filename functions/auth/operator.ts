import { auditTrail } from '../../shared/audit/trail.ts';
import { auditedOperate } from '../../shared/auth/audited-operator.ts';
import type { OperatorAnswer } from '../../shared/auth/operator.ts';
import { auditLogFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';
import { accountDeps } from './deps.ts';

/** Answers one operator command. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const audit = auditTrail({ entries: auditLogFromEnv(), log: systemLog, clock: systemClock });
  return auditedOperate({ ...accountDeps(), stage: webhookStage(), audit, log: systemLog }, payload);
});
