import * as v from 'valibot';
import { operate, type OperatorAnswer } from '../../shared/auth/operator.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';

const named = v.object({ command: v.pipe(v.string(), v.regex(/^[a-z.]{1,32}$/)) });

/** Answers one operator command. Only the command's name is logged: the rest may hold a password. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const deps = {
    table: tableFromEnv(),
    credentials: credentialsFromEnv(),
    clock: systemClock,
    ids: systemIds,
    kdf: scryptKdf,
    keyService: keyService(env('PROPERTY_KEY_ID')),
    stage: webhookStage(),
  };
  const answer = await operate(deps, payload);
  const command = v.is(named, payload) ? payload.command : 'none';
  systemLog(answer.ok ? 'operator.done' : 'operator.refused', {
    command,
    outcome: answer.ok ? 'ok' : answer.error.code,
  });
  return answer;
});
