import { auditCommand } from '../../shared/operator/audit-command.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/run-command.ts';
import { systemSurroundings } from '../../shared/edge/lambda.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';
import { accountDeps } from './deps.ts';

/** Answers one operator command. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const deps = { ...accountDeps(), stage: webhookStage() };
  const audit = auditTrailFromEnv();
  return auditCommand({ ...systemSurroundings, ...deps, audit }, payload, (command) =>
    operate(deps, command),
  );
});
