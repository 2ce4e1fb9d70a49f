import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';

/** The credentials of one account. */
export interface AccountAccess {
  readonly property_id: number;
  readonly client_id: string;
  readonly username: string;
  readonly password: string;
}

/** Access to the AWS endpoint: the credentials of this start and the emulated region. */
export interface AwsAccess {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly region: string;
}

/** All addresses of the running service: the content of `.local/endpoints.json`. */
export interface Endpoints extends Partial<AccountAccess> {
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

/** Writes the file atomically. Only its owner can read it, because it contains passwords and secrets. */
export const writeEndpoints = (file: string, endpoints: Endpoints): void => {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
};

/** The usual file, below the root of the project. */
export const ENDPOINTS_FILE = '.local/endpoints.json';

/** Another service of this machine uses the file of addresses. */
export class ServiceRunningError extends Error {
  override readonly name = 'ServiceRunningError';
}

const address = v.looseObject({ base_url: v.string() });

/** The address of the service that wrote the file, if that service still answers. */
export const runningService = async (file: string): Promise<string | undefined> => {
  if (!existsSync(file)) return undefined;
  const content = v.safeParse(v.pipe(v.string(), v.parseJson(), address), readFileSync(file, 'utf8'));
  if (!content.success) return undefined;
  const { base_url } = content.output;
  const answers = await fetch(`${base_url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
  return answers ? base_url : undefined;
};

/**
 * Makes room for the addresses of a new service: removes the file of an earlier run, which would look as if that service
 * were still running. Throws ServiceRunningError when it is.
 */
export const claimEndpoints = async (file: string): Promise<void> => {
  const running = await runningService(file);
  if (running !== undefined) {
    throw new ServiceRunningError(
      `A service runs at ${running}, and its addresses are in ${file}; give this one another file with --endpoints.`,
    );
  }
  rmSync(file, { force: true });
};

/** Removes the file, unless another cloud has replaced it. */
export const removeEndpoints = (file: string, { base_url }: Endpoints): void => {
  if (existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(base_url))) rmSync(file);
};
