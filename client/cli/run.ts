/** Runs the command line. */
import { CommanderError } from 'commander';
import type { Runner } from './actions.ts';
import { Context } from './context.ts';
import { failureOf } from './explain.ts';
import { exitCodes, type ExitCode } from './failure.ts';
import { programWith } from './program.ts';
import { outputWidth, type Surroundings } from './surroundings.ts';
import { hasColours, paintWith } from './terminal/paint.ts';
import { plain } from './terminal/text.ts';

/**
 * Runs one command and returns its exit code. `interrupt` does what Ctrl-C does; a question calls it, because the terminal
 * sends no signal then.
 */
export const runCli = async (
  args: readonly string[],
  surroundings: Surroundings,
  interrupt: () => void,
): Promise<ExitCode> => {
  const { stdout, stderr, env } = surroundings;
  let exitCode: ExitCode = exitCodes.ok;
  const run: Runner = async (options, work) => {
    const context = new Context(surroundings, options, interrupt);
    try {
      exitCode = await work(context);
    } finally {
      await context.close();
    }
  };
  const program = programWith(run, {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    outputError: (text, write) => write(plainUsage(text.replace(/^error: /, 'tidemark: '), args)),
    getOutHelpWidth: () => outputWidth(stdout, 100),
    getErrHelpWidth: () => outputWidth(stderr, 100),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const failure = failureOf(error, surroundings);
    const paint = paintWith(!args.includes('--no-color') && hasColours(stderr, env));
    const clear = stderr.isTTY === true ? '\r\x1b[2K' : '';
    stderr.write(`${clear}${paint('red', plain(`tidemark: ${failure.message}`))}\n`);
    for (const line of shortened(failure.details)) stderr.write(`  ${plain(line)}\n`);
    return failure.exitCode;
  }
};

/** A message about a wrong use, which may have several lines. It repeats arguments, which a terminal must not obey. */
const plainUsage = (text: string, args: readonly string[]): string =>
  args
    .flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])
    .filter((arg) => plain(arg) !== arg)
    .reduce((message, arg) => message.replaceAll(arg, plain(arg)), text)
    .split('\n')
    .map(plain)
    .join('\n');

/** Details beyond this number are only counted. */
const DETAILS = 10;

const shortened = (details: readonly string[]): readonly string[] =>
  details.length <= DETAILS
    ? details
    : [...details.slice(0, DETAILS), `… and ${details.length - DETAILS} more.`];
