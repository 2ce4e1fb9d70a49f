/** Cloud: synthesizes the stacks and runs them on this machine, for `npm start`, the tests and the benches. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifest } from '../../functions/manifest.ts';
import { checkDeployment } from '../assembly/checks/check-deployment.ts';
import { SOME_ORIGIN, loadDeployment, type Deployment } from '../assembly/deployment.ts';
import { routesOf } from '../assembly/routes.ts';
import { serviceFactory, synthesize } from '../assembly/synth.ts';
import { DeploymentError } from '../assembly/template.ts';
import { makeDataFolder } from './data-folder.ts';
import { checkNoService, removeEndpoints, writeEndpoints, type Endpoints } from './endpoints.ts';
import { findFunction } from './functions.ts';
import { untilIdle } from './idle.ts';
import { untilHealthy } from './health.ts';
import { openInbox, type Inbox } from './inbox.ts';
import type { Application, CloudOptions } from './options.ts';
import { openParts, type Parts } from './parts.ts';
import { makeRunFolder } from './run-folder.ts';
import { registerOperator } from './runtime.ts';
import { keptPasswords, seedAccounts, seedBrands } from './seed.ts';
import { createLatency } from '../core/latency.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { createRouter } from '../http-api/routes.ts';
import { openHttpApi, type HttpApi } from '../http-api/server.ts';
import { createLogs, type Logs } from '../services/lambda/logs.ts';
import type { Outcome } from '../services/lambda/outcome.ts';
import type { Invocation } from '../services/lambda/runner.ts';

export type { CloudOptions } from './options.ts';

/** The running cloud. */
export interface Cloud {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly awsEndpoint: string;
  readonly endpoints: Endpoints;
  readonly deployment: Deployment;
  readonly gateway: Gateway;
  readonly logs: Logs;
  readonly parts: Parts;
  /** Invokes a function by its full name or its name in the manifest. The payload is any JSON value. */
  invoke(name: string, payload: unknown): Promise<Outcome>;
  /** Runs a schedule or scheduled rule now. */
  fireSchedule(name: string): Promise<void>;
  /** Deletes what DynamoDB, S3 and SQS would have deleted by a time (milliseconds since the epoch). */
  expire(now: number): Promise<void>;
  /** Calls `seen` after every later invocation. Returns a function that ends this. */
  observeInvocations(seen: (invocation: Invocation) => void): () => void;
  /** Resolves once no message, invocation, workflow or delivery is in progress. */
  idle(): Promise<void>;
  /** Stops everything. State stays in the data folder, if there is one. */
  stop(): Promise<void>;
}

/** Root of the project. Runs and logs live below its `.local`. */
const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Synthesizes the stacks and runs them on loopback. Throws DeploymentError for incomplete stacks, ConfigurationError for
 * an invalid setting, ServiceRunningError when another service uses the file of addresses, DataFolderError when the data
 * folder is in use or cannot be written, and the system's error when another process uses the port. A failed start leaves
 * the file of addresses as it is.
 */
export const startCloud = async (options: CloudOptions = {}): Promise<Cloud> => {
  const owned = new AsyncDisposableStack();
  try {
    return await start(options, owned);
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
};

const start = async (options: CloudOptions, owned: AsyncDisposableStack): Promise<Cloud> => {
  const api = await openHttpApi(options.port ?? 0);
  owned.defer(() => api.close());
  if (options.endpointsFile !== undefined) await checkNoService(options.endpointsFile);
  if (options.dataDir !== undefined) makeDataFolder(options.dataDir);
  const strictness = options.strictness ?? {};
  const gateway = await openGateway(options);
  owned.defer(() => gateway.close());
  const folder = runFolder(owned);
  const application = options.application ?? theService;
  const place = { folder, baseUrl: api.url, gateway };
  const deployment = await synthesizeAndCheck(options, application, place);
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
  serve({ api, deployment, parts, onExchange: options.onExchange }, owned);
  const inbox = await openInbox(() => parts.storage.ses.inbox());
  owned.defer(() => inbox.close());
  const invoke = invoker(deployment, parts);
  // The functions that prepare the accounts start beside the function that tells of the health.
  const preparing = application.seeded ? ['operator', 'seed'] : [];
  await Promise.all([untilUp(deployment, api), warm(deployment, parts, preparing)]);
  const addresses = addressesOf(api, gateway, inbox, parts.transfer);
  if (application.seeded) await seedBrands(invoke);
  const passwords = options.dataDir === undefined ? {} : { passwordOf: keptPasswords(options.dataDir) };
  const endpoints = application.seeded
    ? { ...addresses, ...(await seedAccounts(invoke, passwords)) }
    : addresses;
  // The last step: the runner ends the sandboxes that have been idle longest, and these sandboxes are then the newest.
  await warm(deployment, parts, options.warm ?? []);
  publish(options.endpointsFile, endpoints, owned);
  return {
    baseUrl: api.url,
    authUrl: endpoints.auth_url,
    awsEndpoint: gateway.url,
    endpoints,
    deployment,
    gateway,
    logs,
    parts,
    invoke,
    fireSchedule: (name) => parts.scheduler.fire(name),
    expire: parts.expire,
    observeInvocations: (seen) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    idle: () => untilIdle(deployment, parts),
    stop: () => owned.disposeAsync(),
  };
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

const addressesOf = (
  api: HttpApi,
  gateway: Gateway,
  inbox: Inbox,
  transfer: Parts['transfer'],
): Endpoints => ({
  pid: process.pid,
  base_url: api.url,
  auth_url: api.url,
  docs_url: `${api.url}/docs`,
  aws_endpoint: gateway.url,
  aws_credentials: registerOperator(gateway),
  inbox_url: inbox.url,
  sftp: transfer ? { host: transfer.host, port: transfer.port } : null,
});

/** Makes a folder for this run. The stop removes it. */
const runFolder = (owned: AsyncDisposableStack): string => {
  const folder = makeRunFolder(join(ROOT, '.local', 'runs'));
  owned.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The service. */
const theService: Application = { factory: serviceFactory, manifest, seeded: true };

const synthesizeAndCheck = async (
  options: CloudOptions,
  application: Application,
  place: { readonly folder: string; readonly baseUrl: string; readonly gateway: Gateway },
): Promise<Deployment> => {
  const context = {
    baseUrl: SOME_ORIGIN,
    ...options.context,
    ...(options.allowPrivateTargets === true ? { allowPrivateTargets: 'true' } : {}),
  };
  const outdir = join(place.folder, 'cdk.out');
  const directory = await synthesize(application.factory, { stage: 'local', context, outdir });
  const deployment = loadDeployment(directory, {
    queueOrigin: place.gateway.url,
    apiOrigin: place.baseUrl,
  });
  const problems = checkDeployment(deployment, application.manifest);
  if (problems.length > 0) throw new DeploymentError(problems);
  return deployment;
};

/** Waits for the service, unless it is closed: then it answers nobody. */
const untilUp = async (deployment: Deployment, api: HttpApi): Promise<void> => {
  const health = findFunction(deployment, 'health');
  if (health?.properties.ReservedConcurrentExecutions !== 0) await untilHealthy(api.url);
};

interface Served {
  readonly api: HttpApi;
  readonly deployment: Deployment;
  readonly parts: Parts;
  readonly onExchange: CloudOptions['onExchange'];
}

const serve = ({ api, deployment, parts, onExchange }: Served, owned: AsyncDisposableStack): void => {
  const apiId = deployment.apis[0]?.ref ?? '';
  api.serve({
    apiId,
    router: createRouter(routesOf(deployment)),
    invoke: (functionName, event) => parts.runner.invoke(functionName, event),
    onExchange,
    onStatus: parts.watch.answered,
  });
  // The stop closes the API first, so that no request arrives while the parts behind it end.
  owned.defer(() => api.close());
};

const invoker =
  (deployment: Deployment, { runner }: Parts): Cloud['invoke'] =>
  (name, payload) =>
    runner.invoke(findFunction(deployment, name)?.name ?? name, JSON.stringify(payload));

const warm = async (deployment: Deployment, { runner }: Parts, names: readonly string[]): Promise<void> => {
  await Promise.all(
    names.map((name) => {
      const target = findFunction(deployment, name);
      if (!target) throw new Error(`cannot warm up ${name}: there is no such function`);
      return runner.warm(target.name);
    }),
  );
};

const publish = (file: string | undefined, endpoints: Endpoints, owned: AsyncDisposableStack): void => {
  if (file === undefined) return;
  writeEndpoints(file, endpoints);
  owned.defer(() => removeEndpoints(file, endpoints));
};
