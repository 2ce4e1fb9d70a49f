import * as v from 'valibot';
import { auditCommand } from '../../shared/operator/audit-command.ts';
import { deadLetterRoute, type DeadLetterPorts } from '../../shared/operator/dead-letters.ts';
import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/operator-commands.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { logSearch } from '../../shared/runtime/log-search.ts';
import { deadLetterQueues } from '../../shared/runtime/sqs-dead-letters.ts';
import { addressSettings } from '../../shared/webhooks/address-settings.ts';
import { accountDeps } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.operator> = processEnv;

const routes = v.pipe(v.string(), v.parseJson(), v.array(deadLetterRoute));

const deadLetterPorts = (): DeadLetterPorts => ({
  routes: v.parse(routes, env('DEAD_LETTERS')),
  queues: deadLetterQueues(),
  findLines: logSearch(systemClock),
});

/** Runs one operator command. */
export const handler = withinInvocation(async (payload: unknown): Promise<OperatorAnswer> => {
  const deps = {
    ...accountDeps(env),
    stage: addressSettings(env),
    deadLetters: deadLetterPorts(),
    auditLog: auditLogFromEnv(env),
  };
  const audit = auditTrailFromEnv(env);
  return auditCommand({ ...systemRuntime, ...deps, audit }, payload, (command) => operate(deps, command));
});
