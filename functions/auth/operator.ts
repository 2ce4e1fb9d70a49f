import { tellCommand } from '../../shared/audit/operator-entry.ts';
import { auditTrail } from '../../shared/audit/trail.ts';
import { operate, type OperatorAnswer } from '../../shared/auth/operator.ts';
import { systemSurroundings } from '../../shared/http/lambda.ts';
import { auditLogFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';
import { accountDeps } from './deps.ts';

/** Answers one operator command. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const deps = { ...accountDeps(), stage: webhookStage() };
  const audit = auditTrail({ ...systemSurroundings, entries: auditLogFromEnv() });
  return tellCommand({ ...systemSurroundings, ...deps, audit }, payload, (command) => operate(deps, command));
});
