/** Functions: prepares the functions of the template, with their credentials and environment, for the runner. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RoleCaller } from '../assembly/callers.ts';
import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import { REGION } from '../core/arn.ts';
import { coldStartMs } from '../core/latency.ts';
import type { Strictness } from '../core/strictness.ts';
import { gatewayThread } from '../services/lambda/gateway-thread.ts';
import type { RunnableFunction } from '../services/lambda/runner.ts';
import { ownThread, type StartThread } from '../services/lambda/thread.ts';

/** Concurrent sandboxes per function, unless the concurrency is real. A laptop has a few cores. */
const MOST_SANDBOXES = 4;

/**
 * Most memory of a function that runs in the gateway's thread, in MB. Lambda gives a function processor time by its memory,
 * so a function with more of it computes for long, and would keep the thread from everything else.
 */
const SHORT_WORK_MB = 512;

/** Whether a client waits for a function, which computes little: one behind a route, without much memory. */
const isShortWork = ({ integrations }: Deployment, { attributes, properties }: DeployedOf<'functions'>) =>
  properties.MemorySize <= SHORT_WORK_MB &&
  integrations.some(({ properties: { IntegrationUri } }) => IntegrationUri === attributes['Arn']);

/** What decides about the functions, besides their deployment. */
export interface FunctionSettings {
  readonly gatewayUrl: string;
  readonly strictness: Strictness;
  /** Starts the sandboxes of all functions. */
  readonly startThread?: StartThread | undefined;
  /** Whether sandboxes freeze and can be killed, so that each needs a thread of its own. */
  readonly isSevere: boolean;
}

/** Directory of a function's bundle. Throws when the assembly lacks the asset. */
const bundleOf = (deployment: Deployment, { logicalId, properties }: DeployedOf<'functions'>): string => {
  const directory = deployment.assets[properties.Code.S3Key];
  if (directory === undefined)
    throw new Error(`${logicalId}: the assembly has no asset ${properties.Code.S3Key}`);
  return directory;
};

/** The concurrent executions that the template reserves, by the name of the function. */
export const reservedConcurrency = ({ functions }: Deployment): ReadonlyMap<string, number> =>
  new Map(
    functions.flatMap(({ name, properties: { ReservedConcurrentExecutions: reserved } }) =>
      reserved === undefined ? [] : [[name, reserved] as const],
    ),
  );

/**
 * The functions of the deployment as input of the runner, each with the credentials of its role. With a real
 * concurrency, only Lambda's throttle limits their sandboxes. With a latency, a sandbox takes as long to start as in AWS. What
 * clients wait for runs in the gateway's thread, and the rest in threads of its own.
 */
export const runnableFunctions = (
  deployment: Deployment,
  callers: readonly RoleCaller[],
  { gatewayUrl, strictness, startThread, isSevere }: FunctionSettings,
): readonly RunnableFunction[] =>
  deployment.functions.map((fn) => {
    const { properties, name } = fn;
    const [module = '', exportName = ''] = properties.Handler.split('.');
    const caller = callers.find(({ roleArn }) => roleArn === properties.Role);
    if (!caller) throw new Error(`${fn.logicalId}: its role ${properties.Role} is missing`);
    const file = join(bundleOf(deployment, fn), `${module}.mjs`);
    return {
      name,
      arn: fn.attributes['Arn'] ?? '',
      file,
      exportName,
      env: { ...properties.Environment.Variables, ...runtimeVariables(fn, caller, gatewayUrl) },
      memoryMb: properties.MemorySize,
      timeoutSeconds: properties.Timeout,
      logGroup: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
      coldStartMs: strictness.latency ? coldStartMs(statSync(file).size) : 0,
      mostSandboxes:
        strictness.realConcurrency === undefined
          ? (properties.ReservedConcurrentExecutions ?? MOST_SANDBOXES)
          : Infinity,
      startThread: startThread ?? (!isSevere && isShortWork(deployment, fn) ? gatewayThread : ownThread),
    };
  });

/** The variables that the Lambda runtime sets. A function sees nothing of this process's environment. */
const runtimeVariables = (
  { name, properties }: DeployedOf<'functions'>,
  caller: RoleCaller,
  gatewayUrl: string,
): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: caller.accessKeyId,
  AWS_SECRET_ACCESS_KEY: caller.secretAccessKey,
  AWS_DEFAULT_REGION: REGION,
  AWS_REGION: REGION,
  AWS_ENDPOINT_URL: gatewayUrl,
  AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
  LANG: 'en_US.UTF-8',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TZ: ':UTC',
  _HANDLER: properties.Handler,
});

/** Finds a function by its name, its ARN, or its short name. */
export const findFunction = (
  { functions, shortName }: Deployment,
  given: string,
): DeployedOf<'functions'> | undefined =>
  functions.find(
    ({ name, attributes }) => name === given || attributes['Arn'] === given || shortName(name) === given,
  );
