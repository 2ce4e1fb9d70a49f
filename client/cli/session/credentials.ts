/** The credentials of commands that ask for the password. */
import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { type Credentials, TidemarkProblem, UnexpectedAnswerError } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { plain } from '../terminal/text.ts';

/** The options of `withCredentials`. */
export interface CredentialOptions {
  readonly clientId?: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
}

/** A command with the options of credentials. */
export const withCredentials = (command: Command): Command =>
  command
    .option('--client-id <id>', 'the client id of your account (asked for if missing)')
    .option('--username <name>', 'your user name (asked for if missing)')
    .option('--password-stdin', 'read the password from standard input, for scripts');

/** The credentials of a command: from its options, then from `known`. Asks for the others, and for the password. */
export const credentialsOf = async (
  context: Context,
  options: CredentialOptions,
  known: { readonly clientId?: string | undefined; readonly username?: string | undefined } = {},
): Promise<Pick<Credentials, 'clientId' | 'username' | 'password'>> => {
  const clientId =
    options.clientId ?? known.clientId ?? (await answerTo(context, 'Client id: ', '--client-id'));
  const unasked = options.username ?? known.username;
  const username = unasked ?? (await answerTo(context, 'User name: ', '--username'));
  const password = options.passwordStdin
    ? (await text(context.surroundings.stdin)).replace(/\r?\n$/, '')
    : await secretAnswer(context, unasked === undefined ? 'Password: ' : `Password of ${plain(unasked)}: `);
  return { clientId, username, password };
};

/** The answer to a question. Throws a usage failure that names the option if nobody can answer, or nobody does. */
export const answerTo = async (context: Context, question: string, option: string): Promise<string> => {
  if (!context.isInteractive) throw usageFailure(`Nobody can answer a question here; add ${option}.`);
  const answer = (await context.ask(question)).trim();
  context.signal.throwIfAborted();
  if (answer === '') throw usageFailure(`The answer is missing; you can give it with ${option}, too.`);
  return answer;
};

const secretAnswer = async (context: Context, question: string): Promise<string> => {
  if (!context.isInteractive) throw usageFailure('Nobody can type a password here; add --password-stdin.');
  const password = await context.askSecret(question);
  context.signal.throwIfAborted();
  return password;
};

/** The answer of the route of tokens. Throws a failure if another service answers at the address. */
export const ofTidemark = <T>(baseUrl: string, request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw isForeign(error) ? new CommandFailure(`No Tidemark answers at ${baseUrl}.`) : error;
  });

/** The patience of a client whose failure does not end the command: it waits for seconds, not minutes. */
export const hurried = { retries: 1, timeoutMs: 10_000 } as const;

/** Whether an answer is of another service. Tidemark has the route of tokens, and names its problems. */
const isForeign = (error: unknown): boolean =>
  error instanceof UnexpectedAnswerError ||
  (error instanceof TidemarkProblem &&
    (error.status === 404 || error.status === 405 || (error.status < 429 && error.code === 'unrecognized')));
