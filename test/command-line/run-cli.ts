/** Runs the data command line as people do: in a terminal, or in a script. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../client/cli/run.ts';
import type { LocalService } from '../../client/cli/session/choose.ts';
import { until } from '../support/until.ts';

const main = join(import.meta.dirname, '../../client/cli/main.ts');

/** The folder of a user: files, sign-ins and remembered jobs. */
export interface Home {
  readonly folder: string;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const environmentOf = ({ folder, env = {} }: Home): NodeJS.ProcessEnv => {
  const { PATH } = process.env;
  return {
    PATH,
    TERM: 'xterm-256color',
    XDG_CONFIG_HOME: folder,
    XDG_STATE_HOME: folder,
    HOME: folder,
    ...env,
  };
};

/** The end of a command in a script. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command without a terminal. */
export const inScript = async (home: Home, args: readonly string[], input = ''): Promise<Ended> => {
  const child = spawn(process.execPath, [main, ...args], { cwd: home.folder, env: environmentOf(home) });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
};

/** What a command in this process gets from its user. */
interface InputOfUser {
  /** The whole of standard input. */
  readonly input?: string;
  /** The answer to each question: with it, the command has a terminal for its questions. */
  readonly answer?: string;
  /** A service that runs on the machine of the user. */
  readonly local?: LocalService;
  /** Ends when the user presses Ctrl-C. */
  readonly interrupted?: AbortSignal;
}

/** Runs a command in this process, which is faster than in its own. Its output goes into pipes. */
export const inProcess = async (
  home: Home,
  args: readonly string[],
  { input = '', answer, local, interrupted = new AbortController().signal }: InputOfUser = {},
): Promise<Ended> => {
  const isTTY = answer !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const screen = isTTY ? { isTTY, columns: 100 } : {};
  const stdout = Object.assign(new PassThrough(), screen);
  const stderr = Object.assign(new PassThrough(), screen);
  if (answer === undefined) stdin.end(input);
  else stderr.on('data', (shown: Buffer) => String(shown).includes('? ') && stdin.write(`${answer}\r`));
  const shown = Promise.all([text(stdout), text(stderr)]);
  const localService = (): Promise<LocalService | undefined> => Promise.resolve(local);
  const streams = { stdin, stdout, stderr, env: environmentOf(home), cwd: home.folder };
  const code = await runCli(
    args,
    { ...streams, localService, interrupted, now: () => performance.now() },
    () => undefined,
  );
  stdout.end();
  stderr.end();
  const [out, err] = await shown;
  return { code, stdout: out, stderr: err };
};

/** Runs a command in this process, without a service and without a terminal. */
export const inMemory = (
  args: readonly string[],
  folder = tmpdir(),
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  inProcess({ folder, env: { TIDEMARK_BASE_URL: 'http://127.0.0.1:9', ...variables } }, args);

/** Ctrl-C. */
export const CTRL_C = '\x03';

/** Runs a command in a pseudo-terminal of 100 columns. */
export const inTerminal = (home: Home, args: readonly string[]) => {
  const command = [process.execPath, main, ...args]
    .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ');
  const child = spawn('script', ['-qfec', `stty cols 100 rows 40; exec ${command}`, '/dev/null'], {
    cwd: home.folder,
    env: environmentOf(home),
  });
  let raw = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
  const plain = (): string => stripVTControlCharacters(raw);
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    /** Everything that the terminal showed. */
    raw: () => raw,
    /** The same without colours and movements. */
    plain,
    type: (keys: string) => void child.stdin.write(keys),
    /** Waits until the terminal has shown a text. */
    shows: async (wanted: RegExp): Promise<void> => {
      await until(`${String(wanted)} in the terminal`, () => {
        if (wanted.test(plain())) return Promise.resolve(true);
        if (child.exitCode !== null)
          throw new Error(`The command ended without ${String(wanted)}:\n${plain()}`);
        return Promise.resolve(undefined);
      });
    },
    /** The exit code, once the command has ended. */
    ended,
  };
};
