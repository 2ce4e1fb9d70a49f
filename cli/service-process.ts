/** Starts the embedded cloud in another process and stops it, for the demo and the benches. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { listen } from '../local/core/loopback.ts';
import { checkNoService, ENDPOINTS_FILE } from './standalone/endpoints.ts';
import { type Endpoints, endpointsSchema } from './endpoints.ts';

const POLL_MS = 50;
const START_MS = 120_000;

export interface ServiceProcess {
  readonly endpoints: Endpoints;
  readonly pid: number;
  /** Resolves with the exit code once the service has stopped. */
  stop(): Promise<number>;
}

/** File for the addresses of a service, and further options of its process. */
interface ProcessOptions {
  readonly endpointsFile?: string;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the service on `port`, or on a free port if `port` is taken, and waits until it is ready. Throws when it does not
 * start, and when another service uses the file of addresses.
 */
export const startService = async (
  port: number,
  args: readonly string[],
  { endpointsFile = ENDPOINTS_FILE, node = [], env = {} }: ProcessOptions = {},
): Promise<ServiceProcess> => {
  await checkNoService(endpointsFile);
  const options = ['--port', String((await isFree(port)) ? port : 0), '--endpoints', endpointsFile, ...args];
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...node, 'cli/standalone/start.ts', ...options],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    },
  );
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const endpoints = await ready(child, endpointsFile).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw new Error(`The service did not start.\n${Buffer.concat(output).toString('utf8')}`, {
      cause: error,
    });
  });
  return { endpoints, pid: child.pid ?? 0, stop: () => stop(child) };
};

/**
 * The service writes the endpoints file last, when it answers. The id in the file identifies the process that wrote it:
 * the file of an earlier service, even on the same port, is not taken for this one.
 */
const ready = async (child: ChildProcess, file: string): Promise<Endpoints> => {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child))
      throw new Error(`the process ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
    const endpoints = await readEndpoints(file);
    if (endpoints && endpoints.pid === child.pid) return endpoints;
    await sleep(POLL_MS);
  }
  throw new Error(`it was not ready after ${START_MS / 1000} s`);
};

/** A process that ended by a signal has no exit code. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const written = v.pipe(v.string(), v.parseJson(), endpointsSchema);

/** The content of the file; undefined when there is none, or another content. */
const readEndpoints = async (file: string): Promise<Endpoints | undefined> => {
  const content = await readFile(file, 'utf8').catch(() => '');
  const parsed = v.safeParse(written, content);
  return parsed.success ? parsed.output : undefined;
};

const stop = async (child: ChildProcess): Promise<number> => {
  const ended = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return child.exitCode ?? 1;
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const free = await listen(server, port).then(
    () => true,
    () => false,
  );
  server.close();
  return free;
};
