import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { AwsAccess } from '../../local/cloud/runtime.ts';
import { makeFolder, OWNER_ONLY } from '../../local/core/folder.ts';

/** The credentials of one account. */
export interface AccountAccess {
  readonly property_id: number;
  readonly client_id: string;
  readonly username: string;
  readonly password: string;
}

/** All addresses of the running service: the content of `.local/endpoints.json`. */
export interface Endpoints extends Partial<AccountAccess> {
  /** The process of the service. */
  readonly pid: number;
  readonly base_url: string;
  readonly auth_url: string;
  readonly docs_url: string;
  readonly aws_endpoint: string;
  readonly aws_credentials: AwsAccess;
  readonly inbox_url: string;
  /** `null` when the stacks have no Transfer server. */
  readonly sftp: { readonly host: string; readonly port: number } | null;
  readonly other?: AccountAccess;
}

/**
 * Writes the file atomically. Only its owner can read it, because it contains passwords and secrets. Two services may start at
 * once, so each writes beside the file under a name of its own.
 */
export const writeEndpoints = (file: string, endpoints: Endpoints): void => {
  makeFolder(dirname(file));
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: OWNER_ONLY });
  renameSync(temporary, file);
};

/** The usual file, below the root of the project. */
export const ENDPOINTS_FILE = '.local/endpoints.json';

/** Another service of this machine uses the file of addresses. */
export class ServiceRunningError extends Error {
  override readonly name = 'ServiceRunningError';
}

const address = v.looseObject({ base_url: v.string() });

/** A service that does not answer in this time is busy or stopped by a signal; it still runs. */
const HEALTH_MS = 5_000;

/** The address of the service that wrote the file, if that service still runs. */
export const runningService = async (file: string): Promise<string | undefined> => {
  if (!existsSync(file)) return undefined;
  const content = v.safeParse(v.pipe(v.string(), v.parseJson(), address), readFileSync(file, 'utf8'));
  if (!content.success) return undefined;
  const { base_url } = content.output;
  const answers = await fetch(`${base_url}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    ({ ok }) => ok,
    // A frozen service accepts the connection and does not answer.
    (error: unknown) => error instanceof Error && error.name === 'TimeoutError',
  );
  return answers ? base_url : undefined;
};

/**
 * Throws ServiceRunningError when the service that wrote the file still runs. The file of an ended service stays until the
 * new service answers, so that a failed start changes nothing.
 */
export const checkNoService = async (file: string): Promise<void> => {
  makeFolder(dirname(file));
  const running = await runningService(file);
  if (running !== undefined) {
    throw new ServiceRunningError(
      `A service runs at ${running}, and its addresses are in ${file}; give this one another file with --endpoints.`,
    );
  }
};

/** Removes the file, unless another cloud has replaced it. */
export const removeEndpoints = (file: string, { base_url }: Endpoints): void => {
  if (existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(base_url))) rmSync(file);
};
