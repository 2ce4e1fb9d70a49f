/** Cloud: synthesizes the stacks of an application and runs them on this machine. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkDeployment } from '../assembly/checks/check-deployment.ts';
import { loadDeployment, type Deployment } from '../assembly/deployment.ts';
import { routesOf } from '../assembly/routes.ts';
import { DeploymentError } from '../assembly/template.ts';
import { sparing, type Faults } from '../core/faults.ts';
import { createLatency } from '../core/latency.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { createRouter } from '../http-api/routes.ts';
import { openHttpApi, type HttpApi } from '../http-api/server.ts';
import { createLogs } from '../services/lambda/logs.ts';
import type { Outcome } from '../services/lambda/outcome.ts';
import type { Invocation } from '../services/lambda/runner.ts';
import { makeDataFolder } from './data-folder.ts';
import { findFunction } from './functions.ts';
import { untilIdle } from './idle.ts';
import { openInbox } from './inbox.ts';
import type { Application, CloudOptions } from './options.ts';
import { openParts, type Parts } from './parts.ts';
import { makeRunFolder } from './run-folder.ts';
import { OPERATOR, registerOperator } from './runtime.ts';

/**
 * Synthesizes the stacks and runs them on loopback. Throws DeploymentError for incomplete stacks, DataFolderError when the
 * data folder is in use or cannot be written, what the synthesis throws, and the system's error when another process uses
 * the port.
 */
export const startCloud = async (options: CloudOptions): Promise<Cloud> => {
  const owned = new AsyncDisposableStack();
  try {
    return await start(options, owned);
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
};

const start = async (given: CloudOptions, owned: AsyncDisposableStack) => {
  const { application } = given;
  const options = given.faults ? { ...given, faults: faultsOf(given.faults, application) } : given;
  const api = await openHttpApi(options.port ?? 0);
  owned.defer(() => api.close());
  if (options.dataDir !== undefined) makeDataFolder(options.dataDir);
  const strictness = options.strictness ?? {};
  const gateway = await openGateway(options);
  owned.defer(() => gateway.close());
  const folder = runFolder(application, owned);
  const deployment = await synthesizeAndCheck(application, { folder, baseUrl: api.url, gateway });
  const logs = createLogs(options.logDir ?? join(folder, 'logs'));
  owned.defer(() => logs.close());
  const observers = new Set<(invocation: Invocation) => void>();
  const onInvocation = (invocation: Invocation): void => {
    for (const seen of observers) seen(invocation);
  };
  const now = options.now ?? Date.now;
  const report = (problem: string): void => console.error(problem);
  const parts = await openParts(
    { ...options, strictness, deployment, gateway, logs, now, onInvocation, report },
    owned,
  );
  serve({ api, deployment, parts, options }, owned);
  const inbox = await openInbox(() => parts.storage.ses.inbox());
  owned.defer(() => inbox.close());
  return {
    /** Address of the HTTP API. */
    baseUrl: api.url,
    awsEndpoint: gateway.url,
    /** Credentials of this start for the AWS endpoint. They allow everything. */
    awsAccess: registerOperator(gateway),
    inboxUrl: inbox.url,
    deployment,
    gateway,
    logs,
    parts,
    /** Invokes a function by its full or short name. The payload is any JSON value. */
    invoke: (name: string, payload: unknown): Promise<Outcome> =>
      parts.runner.invoke(findFunction(deployment, name)?.name ?? name, JSON.stringify(payload)),
    /** Starts sandboxes of these functions, so that their next invocations need no cold start. */
    warm: (names: readonly string[]): Promise<void> => warm(deployment, parts, names),
    /** Runs a schedule or scheduled rule now. */
    fireSchedule: (name: string): Promise<void> => parts.scheduler.fire(name),
    /** Deletes what DynamoDB, S3 and SQS would have deleted by a time (milliseconds since the epoch). */
    expire: parts.expire,
    /** Calls `seen` after every later invocation. Returns a function that ends this. */
    observeInvocations: (seen: (invocation: Invocation) => void): (() => void) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    /** Resolves once no message, invocation, workflow or delivery is in progress. */
    idle: (): Promise<void> => untilIdle(deployment, parts),
    /** Stops everything. State stays in the data folder, if there is one. */
    stop: (): Promise<void> => owned.disposeAsync(),
  };
};

/** The running cloud. */
export type Cloud = Awaited<ReturnType<typeof start>>;

/** The faults, which concern neither the operator of this machine nor the functions that the application spares. */
const faultsOf = (faults: Faults, { shortName = (name) => name, spared = [] }: Application): Faults => {
  const names = new Set([OPERATOR, ...spared]);
  return sparing(faults, (name) => names.has(shortName(name)));
};

/** Seed of the latency without faults. */
const DEFAULT_SEED = 1;

const openGateway = ({ faults, strictness }: CloudOptions): Promise<Gateway> =>
  createGateway({
    ...(faults ? { faults } : {}),
    ...(strictness?.latency
      ? { latency: createLatency(strictness.latency, faults?.seed ?? DEFAULT_SEED) }
      : {}),
  });

/** Makes a folder for this run. The stop removes it. */
const runFolder = ({ runs }: Application, owned: AsyncDisposableStack): string => {
  const folder = makeRunFolder(runs);
  owned.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const synthesizeAndCheck = async (
  application: Application,
  place: { readonly folder: string; readonly baseUrl: string; readonly gateway: Gateway },
): Promise<Deployment> => {
  const directory = await application.synthesize(join(place.folder, 'cdk.out'));
  const deployment = loadDeployment(directory, {
    queueOrigin: place.gateway.url,
    apiOrigin: place.baseUrl,
    shortName: application.shortName,
  });
  const problems = [...(application.problemsOf?.(deployment) ?? []), ...checkDeployment(deployment)];
  if (problems.length > 0) throw new DeploymentError(problems);
  return deployment;
};

interface Served {
  readonly api: HttpApi;
  readonly deployment: Deployment;
  readonly parts: Parts;
  readonly options: CloudOptions;
}

const serve = ({ api, deployment, parts, options }: Served, owned: AsyncDisposableStack): void => {
  const apiId = deployment.apis[0]?.ref ?? '';
  api.serve({
    apiId,
    router: createRouter(routesOf(deployment, options.application.bounds)),
    invoke: (functionName, event) => parts.runner.invoke(functionName, event),
    onExchange: options.onExchange,
    onStatus: parts.watch.answered,
  });
  // The stop closes the API first, so that no request arrives while the parts behind it end.
  owned.defer(() => api.close());
};

const warm = async (deployment: Deployment, { runner }: Parts, names: readonly string[]): Promise<void> => {
  await Promise.all(
    names.map((name) => {
      const target = findFunction(deployment, name);
      if (!target) throw new Error(`cannot warm up ${name}: there is no such function`);
      return runner.warm(target.name);
    }),
  );
};
