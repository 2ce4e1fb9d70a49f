/** Runtime: registers the callers, runs the functions, and answers Lambda's Invoke. */
import { randomBytes } from 'node:crypto';
import { type RoleCaller, callersOf } from '../assembly/callers.ts';
import type { Deployment } from '../assembly/deployment.ts';
import { DeploymentError } from '../assembly/template.ts';
import { ACCOUNT, REGION } from '../core/arn.ts';
import type { Faults } from '../core/faults.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { RegisteredCaller } from '../gateway/callers.ts';
import { REAL_WAITS } from '../services/lambda/async-queue.ts';
import { type Concurrency, createConcurrency, reservationProblem } from '../services/lambda/concurrency.ts';
import { watchForLoops } from '../services/lambda/loop-watch.ts';
import { createRunner, type Killer, type Runner } from '../services/lambda/runner.ts';
import { lambdaService } from '../services/lambda/service.ts';
import type { PartsInput } from './options.ts';
import { reservedConcurrency, runnableFunctions } from './functions.ts';

/** Caller name of the operator of this machine. */
export const OPERATOR = 'operator';

/** The operator on this machine: may call everything, with credentials of this start. */
const newOperator = (): RegisteredCaller => ({
  // The gateway does not check the signature in a header, so the access key id must be secret too.
  accessKeyId: `AKIA${randomBytes(16).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(32).toString('hex'),
  name: OPERATOR,
  principal: `arn:aws:iam::${ACCOUNT}:user/${OPERATOR}`,
  policy: [{ effect: 'Allow', actions: ['*'], resources: ['*'], conditions: {} }],
});

/** Access to the AWS endpoint: the credentials of this start and the emulated region. */
export interface AwsAccess {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly region: string;
}

/** Upper limit of the life of a worker that the seed kills, in milliseconds. */
const KILL_WITHIN_MS = 400;

/** Requests end sooner, so nothing may keep the thread of the gateway for so many seconds. */
const MOST_SILENCE_S = 60;

/** Registers every role of the deployment with the gateway. */
export const registerCallers = (deployment: Deployment, gateway: Gateway): readonly RoleCaller[] => {
  const callers = callersOf(deployment);
  for (const caller of callers) gateway.registerCaller(caller);
  return callers;
};

/** Registers the operator with the gateway. Returns its credentials. */
export const registerOperator = (gateway: Gateway): AwsAccess => {
  const operator = newOperator();
  gateway.registerCaller(operator);
  const { accessKeyId, secretAccessKey } = operator;
  return { access_key_id: accessKeyId, secret_access_key: secretAccessKey, region: REGION };
};

export interface RuntimeParts extends PartsInput {
  readonly callers: readonly RoleCaller[];
  readonly onThrottle: () => void;
}

/**
 * Prepares the functions of the deployment and puts Lambda's Invoke behind the gateway. Throws DeploymentError when the
 * account lacks the concurrency that the template reserves.
 */
export const openRuntime = (parts: RuntimeParts): Runner => {
  const concurrency = concurrencyOf(parts);
  const { gateway, strictness, startThread, faults } = parts;
  const isSevere = faults !== undefined || Object.keys(strictness).length > 0;
  const settings = { gatewayUrl: gateway.url, strictness, startThread, isSevere };
  const functions = runnableFunctions(parts.deployment, parts.callers, settings);
  const runner = createRunner({
    functions: parts.adaptFunctions?.(functions) ?? functions,
    logs: parts.logs,
    onInvocation: parts.onInvocation,
    onThrottle: parts.onThrottle,
    gateway,
    ...(parts.idleSandboxes !== undefined && { mostIdle: parts.idleSandboxes }),
    ...(faults ? { killer: killerOf(faults) } : {}),
    ...(concurrency ? { concurrency, asyncWaits: REAL_WAITS } : {}),
  });
  gateway.addService(lambdaService(runner));
  if (isSevere || startThread) return runner;
  const endWatch = watchForLoops(MOST_SILENCE_S);
  return {
    ...runner,
    end: async () => {
      await Promise.all([runner.end(), endWatch()]);
    },
  };
};

const concurrencyOf = ({ deployment, strictness }: RuntimeParts): Concurrency | undefined => {
  const { realConcurrency: account } = strictness;
  if (account === undefined) return undefined;
  const limits = { account, reserved: reservedConcurrency(deployment) };
  const problem = reservationProblem(limits);
  if (problem !== undefined) throw new DeploymentError([problem]);
  return createConcurrency(limits);
};

/** Kills workers by the seed. */
const killerOf =
  (faults: Faults): Killer =>
  (functionName) => {
    if (!faults.decide('kill', functionName)) return undefined;
    return faults.random('kill-after', functionName) * KILL_WITHIN_MS;
  };
