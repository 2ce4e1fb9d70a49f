/** Connects the command line to its process. */
import { exitCodes, type ExitCode } from './failure.ts';
import { runCli } from './run.ts';
import type { Surroundings } from './surroundings.ts';

/** A second Ctrl-C within this time belongs to the first: a launcher passes on a signal that its child got, too. */
const SAME_PRESS_MS = 500;

/** Runs the command of this process and returns its exit code. A second Ctrl-C ends the process at once. */
export const runProcess = async ({
  cwd,
  localService,
}: Pick<Surroundings, 'cwd' | 'localService'>): Promise<ExitCode> => {
  const { stdin, stdout, stderr, env } = process;
  const controller = new AbortController();
  let pressed: number | undefined;
  const interrupt = (): void => {
    const now = performance.now();
    if (pressed !== undefined && now - pressed > SAME_PRESS_MS) process.exit(exitCodes.interrupted);
    pressed ??= now;
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  // A reader such as `head` may close the pipe early.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.ok);
    throw error;
  });
  try {
    const surroundings = { stdin, stdout, stderr, env, cwd, localService, now: () => performance.now() };
    return await runCli(
      process.argv.slice(2),
      { ...surroundings, interrupted: controller.signal },
      interrupt,
    );
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
};
