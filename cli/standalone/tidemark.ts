/** Tidemark: starts the service on the embedded cloud, for `npm start`, the tests and the benches. */
import { join } from 'node:path';
import { manifest } from '../../functions/manifest.ts';
import { SOME_ORIGIN, type Deployment } from '../../local/assembly/deployment.ts';
import { startCloud, type Cloud } from '../../local/cloud/cloud.ts';
import { findFunction } from '../../local/cloud/functions.ts';
import type { Application, CloudOptions } from '../../local/cloud/options.ts';
import { keptAssembly, type Settings } from './assembly/synth.ts';
import { stackProblems } from './checks/stack-problems.ts';
import { checkNoService, removeEndpoints, writeEndpoints, type Endpoints } from './endpoints.ts';
import { untilHealthy } from './health.ts';
import { kindOfKey } from './item-kinds.ts';
import { shortName } from './names.ts';
import { ROOT } from './root.ts';
import { keptPasswords, publishedAccounts, seedAccounts, seedBrands } from './seed.ts';

/** Options of a start of the service. */
export interface TidemarkOptions extends Omit<CloudOptions, 'application'> {
  /** CDK context: settings of the stage, as text. */
  readonly context?: Settings;
  /** Allows webhooks and SFTP to reach loopback, with `http:` too. */
  readonly allowPrivateTargets?: boolean;
  /** Functions of the manifest to warm up during the start. Tests warm none, because they start many clouds. */
  readonly warm?: readonly string[];
  /** File for the addresses of the service. Without it, the start writes no file. */
  readonly endpointsFile?: string;
  /** Synthesizes the stacks in another way, for tests of other stacks. Returns the directory of the assembly. */
  readonly synthesize?: (settings: Settings, outdir: string) => Promise<string>;
}

/** The running service, with its demo accounts. */
export interface Tidemark extends Cloud {
  readonly authUrl: string;
  readonly endpoints: Endpoints;
}

/** The functions that prepare the accounts. */
const preparing = ['operator', 'seed'];

/** A sign-in takes about a second of one processor, so this number of them ends well before the gateway's timeout. */
export const requestBounds = { 'POST /oauth/token': 16 };

/** The service as the cloud knows it. */
const applicationOf = ({
  context,
  allowPrivateTargets = false,
  dataDir,
  synthesize = keptAssembly,
}: TidemarkOptions): Application => ({
  synthesize: (outdir) =>
    synthesize(
      {
        baseUrl: SOME_ORIGIN,
        // Only passwords that everybody knows may stand in a page: those of a data folder are for its owner alone.
        ...(dataDir === undefined && { demoAccounts: JSON.stringify(publishedAccounts()) }),
        ...context,
        ...(allowPrivateTargets ? { allowPrivateTargets: 'true' } : {}),
      },
      outdir,
    ),
  runs: join(ROOT, '.local', 'runs'),
  shortName,
  problemsOf: (deployment) => stackProblems(deployment, manifest),
  kindOf: kindOfKey,
  spared: preparing,
  bounds: requestBounds,
});

/**
 * Starts the service. Throws what `startCloud` throws, ConfigurationError for an invalid setting, and ServiceRunningError
 * when another service uses the file of addresses. A failed start leaves the file of addresses as it is.
 */
export const startTidemark = async (options: TidemarkOptions = {}): Promise<Tidemark> => {
  if (options.endpointsFile !== undefined) await checkNoService(options.endpointsFile);
  const cloud = await startCloud({ ...options, application: applicationOf(options) });
  try {
    return await prepare(cloud, options);
  } catch (error) {
    await cloud.stop();
    throw error;
  }
};

/** Waits until the service answers, loads the brands, makes the demo accounts, and writes the file of addresses. */
const prepare = async (cloud: Cloud, options: TidemarkOptions): Promise<Tidemark> => {
  const { dataDir, warm = [], endpointsFile: file } = options;
  // Both take a cold start, so they go at once: the health check, and the functions that make the accounts.
  await Promise.all([untilUp(cloud), cloud.warm(preparing)]);
  const invoke = (name: string, payload: unknown) => cloud.invoke(name, payload);
  await seedBrands(invoke);
  const passwords = dataDir === undefined ? {} : { passwordOf: keptPasswords(dataDir) };
  const accounts = await seedAccounts(invoke, passwords);
  // The last step: the runner ends the sandboxes that have been idle longest, and these sandboxes are then the newest.
  await cloud.warm(warm);
  const endpoints = { ...addressesOf(cloud), ...accounts };
  if (file !== undefined) writeEndpoints(file, endpoints);
  return {
    ...cloud,
    authUrl: endpoints.auth_url,
    endpoints,
    stop: async () => {
      if (file !== undefined) removeEndpoints(file, endpoints);
      await cloud.stop();
    },
  };
};

const addressesOf = ({ baseUrl, awsEndpoint, awsAccess, inboxUrl, parts }: Cloud): Endpoints => ({
  pid: process.pid,
  base_url: baseUrl,
  auth_url: baseUrl,
  docs_url: `${baseUrl}/docs`,
  aws_endpoint: awsEndpoint,
  aws_credentials: awsAccess,
  inbox_url: inboxUrl,
  sftp: parts.transfer ? { host: parts.transfer.host, port: parts.transfer.port } : null,
});

/** Waits for the service, unless it is closed: then it answers nobody. */
const untilUp = async ({ deployment, baseUrl }: Cloud): Promise<void> => {
  if (!isClosed(deployment)) await untilHealthy(baseUrl);
};

const isClosed = (deployment: Deployment): boolean =>
  findFunction(deployment, 'health')?.properties.ReservedConcurrentExecutions === 0;
