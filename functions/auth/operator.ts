import * as v from 'valibot';
import { operate, type OperatorAnswer } from '../../shared/auth/operator.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';
import { accountDeps } from './deps.ts';

const named = v.object({ command: v.pipe(v.string(), v.regex(/^[a-z.]{1,32}$/)) });

/** Answers one operator command. Only the command's name is logged: the rest may hold a password. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const answer = await operate({ ...accountDeps(), stage: webhookStage() }, payload);
  const command = v.is(named, payload) ? payload.command : 'none';
  systemLog(answer.ok ? 'operator.done' : 'operator.refused', {
    command,
    outcome: answer.ok ? 'ok' : answer.error.code,
  });
  return answer;
});
