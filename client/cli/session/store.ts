/** The file that keeps sign-ins, so that each command need not sign in again. Only its owner can read it. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { CommandFailure } from '../failure.ts';

const session = v.object({
  username: v.string(),
  /** The client id of the account: a new token needs only the password then. Earlier versions did not keep it. */
  clientId: v.optional(v.string()),
  token: v.string(),
  /** The time at which the token of a login expires, in ISO 8601; null if the command line signed in by itself. */
  expires: v.nullable(v.string()),
  /** The property that commands use; null if the user chooses it with each command. */
  property: v.nullable(v.number()),
});

const stored = v.object({
  /** The address of the service that commands use. */
  current: v.nullable(v.string()),
  /** The sign-in of each service, by its address. */
  sessions: v.record(v.string(), session),
});

/** One sign-in: the user, the token and the property of commands. */
export type StoredSession = v.InferOutput<typeof session>;

/** Whether somebody signed in by `login`, and not the command line by itself with the credentials of a local service. */
export const isLogin = ({ expires }: StoredSession): boolean => expires !== null;

/** The content of the file. */
export type Sessions = v.InferOutput<typeof stored>;

/** The content of a file that does not exist yet. */
export const noSessions: Sessions = { current: null, sessions: {} };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder of the XDG Base Directory specification: `$XDG_CONFIG_HOME/tidemark`, by default `~/.config/tidemark`. A relative
 * path in the variable is ignored, as the specification demands.
 */
const folderIn = (env: Environment, variable: string, usual: readonly string[]): string => {
  const set = env[variable] ?? '';
  const base = isAbsolute(set) ? set : join(env['HOME'] ?? homedir(), ...usual);
  return join(base, 'tidemark');
};

/** The file of sign-ins. */
export const sessionsFile = (env: Environment): string =>
  join(folderIn(env, 'XDG_CONFIG_HOME', ['.config']), 'sessions.json');

/** The file that remembers the jobs that this machine started. */
export const jobsFile = (env: Environment): string =>
  join(folderIn(env, 'XDG_STATE_HOME', ['.local', 'state']), 'jobs.json');

/** Reads a private file as JSON; `otherwise` if the file does not exist. Throws a failure when it is damaged. */
export const readPrivate = async <S extends v.GenericSchema>(
  file: string,
  schema: S,
  otherwise: v.InferOutput<S>,
): Promise<v.InferOutput<S>> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return otherwise;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (!parsed.success) throw new CommandFailure(`The file ${file} is damaged; delete it and sign in again.`);
  return parsed.output;
};

/** Writes a private file. Readers see the old content or the new content, and nobody else can read either. */
export const writePrivate = async (file: string, content: unknown): Promise<void> => {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await rm(temporary, { force: true });
  await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
};

/** Reads the sign-ins. */
export const readSessions = (file: string): Promise<Sessions> => readPrivate(file, stored, noSessions);

/** Sessions with the session of one service; `null` removes it. The service becomes the current service if `makeCurrent`. */
export const withSession = (
  { current, sessions }: Sessions,
  baseUrl: string,
  added: StoredSession | null,
  makeCurrent: boolean,
): Sessions => {
  const others = Object.fromEntries(Object.entries(sessions).filter(([address]) => address !== baseUrl));
  if (added === null) return { current: current === baseUrl ? null : current, sessions: others };
  return { current: makeCurrent ? baseUrl : current, sessions: { ...others, [baseUrl]: added } };
};
