/** Failures of commands, and their exit codes. */
import type { Result } from './result.ts';

/** The exit codes of the command line. 130 is the shells' code for Ctrl-C. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, signIn: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Why a command failed: one sentence, further lines if they help, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;
  readonly details: readonly string[];

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, details: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** The value of a result. Throws a usage failure with the sentence of its error. */
export const valueOf = <T>(result: Result<T, string>): T => {
  if (result.ok) return result.value;
  throw usageFailure(result.error);
};

/** The failure of a command that was called in a wrong way. */
export const usageFailure = (message: string, details: readonly string[] = []): CommandFailure =>
  new CommandFailure(message, exitCodes.usage, details);
