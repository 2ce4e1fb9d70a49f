/** Running programs: starts programs of a page that go on, and ends them after each test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach } from 'vitest';
import { debianPython } from './package-user.ts';
import { until } from './until.ts';

/** What runs a program of this name. */
export const interpreterOf = (name: string): string =>
  name.endsWith('.py') ? debianPython : process.execPath;

export interface RunningProgram {
  /** All that it has printed so far, on both outputs. */
  readonly said: () => string;
  /** Waits until it has printed this text. Throws with what it printed if it ends before. */
  readonly says: (text: string) => Promise<void>;
}

/** Starts a program at each call. All end after each of the tests among which this is called. */
export const programStarter = (): ((name: string, cwd: string, env: NodeJS.ProcessEnv) => RunningProgram) => {
  const running: ChildProcess[] = [];
  afterEach(async () => {
    await Promise.all(
      running.splice(0).map(async (program) => {
        if (hasEnded(program)) return;
        program.kill();
        await once(program, 'exit');
      }),
    );
  });
  return (name, cwd, env) => {
    const program = spawn(interpreterOf(name), [name], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(program);
    const printed: Buffer[] = [];
    for (const output of [program.stdout, program.stderr])
      output.on('data', (chunk: Buffer) => printed.push(chunk));
    const said = (): string => Buffer.concat(printed).toString();
    const says = async (text: string): Promise<void> => {
      await until(`"${text}" of ${name}`, () => {
        if (said().includes(text)) return true;
        if (hasEnded(program)) throw new Error(`${name} has ended: ${said()}`);
        return undefined;
      });
    };
    return { said, says };
  };
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
