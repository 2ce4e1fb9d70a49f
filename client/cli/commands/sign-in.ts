/** The commands `login`, `logout` and `status`. */
import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { type Answer, Tidemark, TidemarkProblem, UnexpectedAnswerError } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts';
import type { Act } from '../actions.ts';
import { addressOf, ownProperty } from '../session/choose.ts';
import { readSessions } from '../session/store.ts';
import { moment, plain } from '../terminal/text.ts';

interface LoginOptions {
  readonly clientId?: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
}

/** Adds the commands. */
export const addSignIn = (program: Command, act: Act): void => {
  program.commandsGroup('Sign in:');
  program
    .command('login')
    .description('sign in to a service; the token is kept in a file that only you can read')
    .option('--client-id <id>', 'the client id of your account (asked for if missing)')
    .option('--username <name>', 'your user name (asked for if missing)')
    .option('--password-stdin', 'read the password from standard input, for scripts')
    .addHelpText('after', loginHelp)
    .action(act(login));
  program
    .command('logout')
    .description('forget the sign-in of a service on this machine')
    .action(act(logout));
  program
    .command('status')
    .alias('me')
    .description('show the service, your user and the property that commands work on')
    .action(act(status));
};

const loginHelp = `
Scripts need no login: set TIDEMARK_BASE_URL, TIDEMARK_TOKEN and TIDEMARK_PROPERTY.`;

const login = async (context: Context, options: LoginOptions): Promise<undefined> => {
  const baseUrl = await serviceAddress(context);
  const clientId = options.clientId ?? (await answerTo(context, 'Client id: ', '--client-id'));
  const username = options.username ?? (await answerTo(context, 'User name: ', '--username'));
  const password = options.passwordStdin
    ? (await text(context.surroundings.stdin)).replace(/\r?\n$/, '')
    : await secretAnswer(context);
  let expiresAt: number | undefined;
  const client = await Tidemark.signIn({
    baseUrl,
    clientId,
    username,
    password,
    onToken: (token) => (expiresAt = token.expiresAt),
  }).catch((error: unknown) => {
    throw isForeign(error) ? new CommandFailure(`No Tidemark answers at ${baseUrl}.`) : error;
  });
  const caller = await client.getCaller();
  const property = await chooseProperty(context, caller.properties);
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  await context.keep(baseUrl, { username, token: await client.token(), expires, property }, true);
  context.show({ base_url: baseUrl, ...caller, property_id: property }, () =>
    factsOf(context, baseUrl, caller, property),
  );
};

/** Whether an answer to a login is of another service. Tidemark has the route of tokens, and names its problems. */
const isForeign = (error: unknown): boolean =>
  error instanceof UnexpectedAnswerError ||
  (error instanceof TidemarkProblem &&
    (error.status === 404 || error.status === 405 || (error.status < 429 && error.code === 'unrecognized')));

const serviceAddress = async (context: Context): Promise<string> => {
  const { options, surroundings } = context;
  const { current } = await readSessions(context.sessionsFile);
  const asked =
    options.baseUrl ??
    surroundings.env['TIDEMARK_BASE_URL'] ??
    current ??
    (await answerTo(context, 'Address of the service: ', '--base-url'));
  const baseUrl = addressOf(asked);
  if (baseUrl === undefined)
    throw usageFailure(`The address must begin with https:// or http://, not "${plain(asked)}".`);
  return baseUrl;
};

const answerTo = async (context: Context, question: string, option: string): Promise<string> => {
  if (!context.isInteractive) throw usageFailure(`Nobody can answer a question here; add ${option}.`);
  const answer = (await context.ask(question)).trim();
  context.signal.throwIfAborted();
  if (answer === '') throw usageFailure(`The answer is missing; you can give it with ${option}, too.`);
  return answer;
};

const secretAnswer = async (context: Context): Promise<string> => {
  if (!context.isInteractive) throw usageFailure('Nobody can type a password here; add --password-stdin.');
  const password = await context.askSecret('Password: ');
  context.signal.throwIfAborted();
  return password;
};

type Caller = Answer<'getCaller'>;

/** A property of the account. Throws a usage failure for any other. */
const requireOwn = (id: number, properties: Caller['properties']): number => {
  const own = ownProperty(id, properties);
  if (!own.ok) throw usageFailure(own.error);
  return own.value;
};

/** The property of the option, the only property, or the answer to a question; null if it stays open. */
const chooseProperty = async (context: Context, properties: Caller['properties']): Promise<number | null> => {
  const { property } = context.options;
  if (property !== undefined) return requireOwn(property, properties);

  const [only, ...others] = properties;
  if (only === undefined || others.length === 0) return only?.id ?? null;
  if (!context.isInteractive) return null;
  context.note(...properties.map(({ id, name }) => `  ${id}  ${plain(name)}`));
  const answer = Number(await context.ask('Which property do you work on? '));
  context.signal.throwIfAborted();
  if (properties.some(({ id }) => id === answer)) return answer;
  throw usageFailure('This is not a number of the list.');
};

const logout = async (context: Context): Promise<undefined> => {
  const { current } = await readSessions(context.sessionsFile);
  const baseUrl =
    context.options.baseUrl === undefined ? current : (addressOf(context.options.baseUrl) ?? null);
  if (baseUrl === null) throw new CommandFailure('You are not signed in.', exitCodes.signIn);
  await context.keep(baseUrl, null, false);
  context.show({ base_url: baseUrl, signed_in: false }, () => [
    `Signed out of ${baseUrl}. An operator can revoke the token; it ends by itself 30 days after the login.`,
  ]);
};

const status = async (context: Context): Promise<undefined> => {
  const { client, service } = await context.signedIn();
  const caller = await client.getCaller();
  const { baseUrl, propertyId } = service;
  const only = caller.properties.length === 1 ? caller.properties[0]?.id : undefined;
  const property = propertyId === undefined ? (only ?? null) : requireOwn(propertyId, caller.properties);
  context.show({ base_url: baseUrl, ...caller, property_id: property }, () =>
    factsOf(context, baseUrl, caller, property),
  );
};

const factsOf = (
  context: Context,
  baseUrl: string,
  { user, account, properties, token }: Caller,
  property: number | null,
): readonly string[] => {
  const chosen = properties.find(({ id }) => id === property);
  const name = [user.first_name, user.last_name].join(' ').trim();
  return context.facts([
    ['service', baseUrl],
    ['user', name === '' ? user.email : `${name} (${user.email})`],
    ['account', account.name],
    [
      'property',
      chosen === undefined
        ? `none chosen; add --property (${properties.map(({ id }) => String(id)).join(', ')})`
        : `${chosen.id} ${chosen.name}`,
    ],
    ['signed in until', moment(token.expires)],
  ]);
};
