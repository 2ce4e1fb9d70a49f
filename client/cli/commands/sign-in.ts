/** The commands `login`, `logout` and `status`. */
import type { Command } from 'commander';
import { type Answer, type Permission, Tidemark } from '../../src/index.ts';
import type { Act } from '../actions.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../explain.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import {
  mayEverything,
  permissionLines,
  permissionsText,
  propertiesText,
  readPermissions,
} from '../permissions.ts';
import { addressOf, ownProperty } from '../session/choose.ts';
import {
  answerTo,
  type CredentialOptions,
  credentialsOf,
  hurried,
  ofTidemark,
  withCredentials,
} from '../session/credentials.ts';
import { readSessions } from '../session/store.ts';
import { moment, plain } from '../terminal/text.ts';

interface LoginOptions extends CredentialOptions {
  readonly scope?: readonly Permission[];
}

/** Adds the commands. */
export const addSignIn = (program: Command, act: Act): void => {
  program.commandsGroup('Sign in:');
  withCredentials(
    program
      .command('login')
      .description('sign in to a service; the token is kept in a file that only you can read'),
  )
    .option(
      '--scope <permissions>',
      'what the sign-in may do: "people.write definitions.read" (default: all that your role allows)',
      readPermissions,
    )
    .addHelpText('after', loginHelp)
    .action(act(login));
  program
    .command('logout')
    .description('end the token of your sign-in, and forget it on this machine')
    .action(act(logout));
  program
    .command('status')
    .alias('me')
    .description('show the service, your user, what you may do and the property that commands work on')
    .action(act(status));
};

const loginHelp = `
Permissions:
${permissionLines.join('\n')}

Scripts need no login: set TIDEMARK_BASE_URL, TIDEMARK_TOKEN and TIDEMARK_PROPERTY. "tidemark token create"
makes a token for them that may do no more than they need.`;

const login = async (context: Context, options: LoginOptions): Promise<undefined> => {
  const baseUrl = await serviceAddress(context);
  const credentials = await credentialsOf(context, options);
  let expiresAt: number | undefined;
  const asked = Tidemark.signIn({
    ...credentials,
    baseUrl,
    scope: options.scope,
    onToken: (token) => (expiresAt = token.expiresAt),
  });
  const client = await ofTidemark(baseUrl, asked);
  const caller = await client.getCaller();
  const property = await chooseProperty(context, caller.properties);
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  const { username, clientId } = credentials;
  const session = { username, clientId, token: await client.token(), expires, property };
  await context.keep(baseUrl, session, true);
  context.show({ base_url: baseUrl, ...caller, property_id: property }, () =>
    factsOf(context, baseUrl, caller, property),
  );
};

const serviceAddress = async (context: Context): Promise<string> => {
  const { options, surroundings } = context;
  const { current } = await readSessions(context.sessionsFile);
  const asked =
    options.baseUrl ??
    surroundings.env['TIDEMARK_BASE_URL'] ??
    current ??
    (await surroundings.localService())?.baseUrl ??
    (await answerTo(context, 'Address of the service: ', '--base-url'));
  const baseUrl = addressOf(asked);
  if (baseUrl === undefined)
    throw usageFailure(`The address must begin with https:// or http://, not "${plain(asked)}".`);
  return baseUrl;
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

const logout = async (context: Context): Promise<ExitCode> => {
  const { current, sessions } = await readSessions(context.sessionsFile);
  const baseUrl =
    context.options.baseUrl === undefined ? current : (addressOf(context.options.baseUrl) ?? null);
  const session = baseUrl === null ? undefined : sessions[baseUrl];
  if (baseUrl === null || session === undefined)
    throw new CommandFailure('You are not signed in.', exitCodes.signIn);
  const { token, expires } = session;
  const client = new Tidemark({ baseUrl, signal: context.signal, ...hurried });
  const failure = await ofTidemark(baseUrl, client.revokeToken({ body: { token } })).then(
    () => undefined,
    (error: unknown) => failureOf(error, context.surroundings),
  );
  if (context.signal.aborted && failure !== undefined) throw failure;
  await context.keep(baseUrl, null, false);
  const isEnded = failure === undefined;
  context.show({ base_url: baseUrl, signed_in: false, token_ended: isEnded }, () =>
    isEnded
      ? [`Signed out of ${baseUrl}. The token stops working within 30 seconds.`]
      : [
          `The sign-in of ${baseUrl} is forgotten on this machine, but its token was not ended. ${failure.message}`,
          `The token works ${expires === null ? 'for up to 30 days' : `until ${moment(expires)}`}. To end it, sign in again, and find it: tidemark token list`,
        ],
  );
  return isEnded ? exitCodes.ok : exitCodes.failed;
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
  { user, role, permissions, account, properties, token }: Caller,
  property: number | null,
): readonly string[] => {
  const chosen = properties.find(({ id }) => id === property);
  const name = [user.first_name, user.last_name].join(' ').trim();
  return context.facts([
    ['service', baseUrl],
    ['user', name === '' ? user.email : `${name} (${user.email})`],
    ['account', account.name],
    ...(mayEverything(permissions)
      ? []
      : ([
          ['role', role],
          ['may', permissionsText(permissions)],
        ] as const)),
    ...(token.properties === null ? [] : ([['reaches', propertiesText(token.properties)]] as const)),
    [
      'property',
      chosen === undefined
        ? `none chosen; add --property (${properties.map(({ id }) => String(id)).join(', ')})`
        : `${chosen.id} ${chosen.name}`,
    ],
    ...(token.name === null
      ? ([['signed in until', moment(token.expires)]] as const)
      : ([
          ['key', `${token.name} (${token.id})`],
          ['works until', moment(token.expires)],
        ] as const)),
  ]);
};
