import type { RoleCaller } from '../assembly/callers.ts';
import { callersOf, shortName } from '../assembly/callers.ts';
import type { Deployment } from '../assembly/deployment.ts';
import { ACCOUNT, arn } from '../assembly/naming.ts';
import type { Faults } from '../gateway/faults.ts';
import type { Gateway, RegisteredCaller } from '../gateway/gateway.ts';
import { createRunner } from '../services/lambda/runner.ts';
import type { Invocation, Killer, Runner } from '../services/lambda/runner.ts';
import type { Logs } from '../services/lambda/logs.ts';
import { lambdaService } from '../services/lambda/service.ts';
import { runnableFunctions } from './functions.ts';

/** Credentials of the operator's command line: whoever reaches this machine's loopback is the operator. */
const OPERATOR: RegisteredCaller = {
  accessKeyId: 'operator',
  secretAccessKey: 'operator',
  name: 'operator',
  principal: `arn:aws:iam::${ACCOUNT}:user/operator`,
  policy: [
    {
      effect: 'Allow',
      actions: ['lambda:InvokeFunction'],
      resources: [arn('lambda', 'function:*')],
      conditions: {},
    },
  ],
};

/** A worker that is to be killed lives this long at most, in milliseconds. */
const KILL_WITHIN_MS = 400;

/** Makes the gateway know every role of the deployment, and the operator. */
export const registerCallers = (deployment: Deployment, gateway: Gateway): readonly RoleCaller[] => {
  const callers = callersOf(deployment);
  for (const caller of [...callers, OPERATOR]) gateway.registerCaller(caller);
  return callers;
};

/** What the runner of a deployment is made of. */
export interface RuntimeParts {
  readonly deployment: Deployment;
  readonly callers: readonly RoleCaller[];
  readonly gateway: Gateway;
  readonly logs: Logs;
  readonly faults?: Faults | undefined;
  readonly onInvocation: (invocation: Invocation) => void;
}

/** Makes the deployment's functions ready and puts Lambda's Invoke behind the gateway. */
export const openRuntime = (parts: RuntimeParts): Runner => {
  const runner = createRunner({
    functions: runnableFunctions(parts.deployment, parts.callers, parts.gateway.url),
    logs: parts.logs,
    onInvocation: parts.onInvocation,
    ...(parts.faults ? { killer: killerOf(parts.faults) } : {}),
  });
  parts.gateway.addService(lambdaService(runner));
  return runner;
};

/** Kills workers by the seed; the operator is left alone, so that a test can set things up. */
const killerOf =
  (faults: Faults): Killer =>
  (functionName) => {
    if (shortName(functionName) === OPERATOR.name || !faults.decide('kill', functionName)) return undefined;
    return faults.random('kill-after', functionName) * KILL_WITHIN_MS;
  };
