import { auditCommand } from '../../shared/operator/audit-command.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/run-command.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { addressSettings } from '../../shared/webhooks/address-settings.ts';
import { accountDeps } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.operator> = processEnv;

/** Runs one operator command. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const deps = { ...accountDeps(env), stage: addressSettings(env) };
  const audit = auditTrailFromEnv(env);
  return auditCommand({ ...systemRuntime, ...deps, audit }, payload, (command) => operate(deps, command));
});
