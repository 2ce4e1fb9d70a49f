/** The types of commands, and the values of their options. */
import { InvalidArgumentError } from 'commander';
import type { Connected, Context, GlobalOptions } from './context.ts';
import type { ExitCode } from './failure.ts';

/** The work of a command. */
export type Work = (context: Context) => Promise<ExitCode>;

/** Runs the work of the command that the user called. */
export type Runner = (options: GlobalOptions, work: Work) => Promise<void>;

/** Wraps an action so that it gets its context in front of the arguments and options of its command. */
export type Act = <Args extends unknown[]>(
  action: (context: Context, ...args: Args) => Promise<ExitCode | undefined>,
) => (...args: Args) => Promise<void>;

/** An action that begins with the connection to the property. */
export const onProperty =
  <Args extends unknown[]>(action: (context: Connected, ...args: Args) => Promise<ExitCode | undefined>) =>
  async (context: Context, ...args: Args): Promise<ExitCode | undefined> =>
    action(await context.connect(), ...args);

/** A positive whole number of an option. */
export const wholeNumber = (text: string): number => {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

/** A text of an argument that becomes a part of a query: neither empty nor with control characters. */
export const filled = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  if (/\p{Cc}/u.test(text)) throw new InvalidArgumentError('It has control characters.');
  return text;
};

/** Collects the values of an option that may be repeated. */
export const collect = (text: string, others: readonly string[] = []): readonly string[] => [...others, text];
