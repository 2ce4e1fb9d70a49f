/** The commands of `token`: keys for programs, and the other tokens of a user. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  type Answer,
  type Credentials,
  type Permission,
  Tidemark,
  TidemarkProblem,
} from '../../src/index.ts';
import { mayBeDone } from '../../src/transport.ts';
import { type Act, filled, wholeNumber } from '../actions.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../explain.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { permissionLines, permissionsText, propertiesText, readPermissions } from '../permissions.ts';
import { nearest } from '../segments/nearest.ts';
import { startCredentials, type Place } from '../session/choose.ts';
import {
  type CredentialOptions,
  credentialsOf,
  hurried,
  ofTidemark,
  withCredentials,
} from '../session/credentials.ts';
import { paintWith } from '../terminal/paint.ts';
import { type Column, tableOf } from '../terminal/table.ts';
import { moment, plain } from '../terminal/text.ts';

/** What a key may do. `all` means everything that the role of the user allows. */
type May = readonly Permission[] | 'all';

interface CreateOptions extends CredentialOptions {
  readonly may: May;
  readonly days?: number;
  readonly allProperties?: boolean;
}

/** Adds the commands. */
export const addTokens = (program: Command, act: Act): void => {
  const group = program
    .command('token')
    .description('keys for programs, and the other tokens of your user: create, list, end');
  withCredentials(
    group
      .command('create')
      .description('make a key for a program; its token is printed once')
      .argument('<name>', 'a name for people: where the key is used', filled)
      .requiredOption(
        '--may <permissions>',
        'what the key may do: people.write,definitions.read (repeat it for more), or "all" that your role allows',
        readMay,
      )
      .option('--days <number>', `how long it works: 1 to ${MOST_DAYS} days (default: 30)`, readDays)
      .option('--all-properties', 'let it reach every property of your account, also later ones'),
  )
    .addHelpText('after', help)
    .action(act(create));
  group
    .command('list')
    .description('list the tokens of your user: those of sign-ins, and keys')
    .action(act(list));
  group
    .command('end')
    .description('end a token: it stops working within 30 seconds')
    .argument('<token>', 'its id, or the name of a key')
    .option('-y, --yes', 'end it without a question')
    .action(act(end));
};

const help = `
The key reaches one property: that of --property, or the one that your commands work on.
With --all-properties it reaches them all.

Permissions:
${permissionLines.join('\n')}

The token goes to standard output, and all else to standard error. Give it to the program as
TIDEMARK_TOKEN, or in the header "Authorization: Bearer …".

Examples:
  tidemark token create "Box office" --may people.write --days 365
  tidemark token create Reports --may definitions.read --all-properties
  tidemark token create CI --may people.write,definitions.read | gh secret set TIDEMARK_TOKEN`;

const readMay = (text: string, others?: May): May =>
  others === 'all' || text.trim() === 'all' ? 'all' : readPermissions(text, others);

/** The longest life of a key. */
const MOST_DAYS = 365;

const readDays = (text: string): number => {
  const days = wholeNumber(text);
  if (days > MOST_DAYS) throw new InvalidArgumentError(`A key works for ${MOST_DAYS} days at most.`);
  return days;
};

const create = async (context: Context, name: string, options: CreateOptions): Promise<undefined> => {
  const place = await context.place();
  const { baseUrl } = place;
  const reach = reachOf(context, place, options);
  const { clientId, username, password } = await credentialsAt(context, place, options);
  const body = {
    ...({ grant_type: 'password', client_id: clientId, username, password, name } as const),
    ...(options.may === 'all' ? {} : { scope: options.may.join(' ') }),
    ...(reach === null ? {} : { property_ids: reach }),
    ...(options.days === undefined ? {} : { expires_in: options.days * 86_400 }),
  };
  const client = new Tidemark({ baseUrl, signal: context.signal });
  const token = await tokenOf(context, name, ofTidemark(baseUrl, client.issueToken({ body })));
  // Nobody can get this token again, so no failure from here on may lose it.
  const caller = await new Tidemark({ baseUrl, token, ...hurried }).getCaller().catch(() => undefined);
  const key = caller && { ...caller.token, permissions: caller.permissions };
  if (key && key.name !== name)
    throw new CommandFailure('The service is older than this command line and knows no keys.');
  if (key) context.noteFacts(keyFacts(key));
  else context.note('The key is made. The service did not show it just now: tidemark token list');
  context.note('The token is shown only now; keep it safe:');
  context.show({ ...key, access_token: token }, () => [token]);
};

/** The properties that the new key is to reach; `null` for all. */
const reachOf = (
  { options: { property } }: Context,
  { propertyId }: Place,
  { allProperties }: CreateOptions,
): readonly number[] | null => {
  if (allProperties) {
    if (property === undefined) return null;
    throw usageFailure('Say --property for one property, or --all-properties, but not both.');
  }
  if (propertyId !== undefined) return [propertyId];
  throw usageFailure('Which property is the key to reach? Add --property <id>, or --all-properties.');
};

/** The credentials for the new key: those of the start of a service on this machine, unless an option names others. */
const credentialsAt = (
  context: Context,
  place: Place,
  options: CreateOptions,
): Promise<Pick<Credentials, 'clientId' | 'username' | 'password'>> => {
  const { clientId, username, passwordStdin } = options;
  const isNamed = clientId !== undefined || username !== undefined || passwordStdin === true;
  const start = isNamed ? undefined : startCredentials(place);
  if (start !== undefined) return Promise.resolve(start);
  const { session, local } = place;
  return credentialsOf(context, options, {
    clientId: session?.clientId ?? local?.clientId,
    username: session?.username ?? local?.username,
  });
};

/** The token in the answer to a request for a key. Its failures are in the words of the command line. */
const tokenOf = async (
  { surroundings }: Context,
  name: string,
  asked: Promise<Answer<'issueToken'>>,
): Promise<string> => {
  try {
    return (await asked).access_token;
  } catch (error) {
    if (error instanceof TidemarkProblem && error.code === 'invalid_request')
      throw new CommandFailure(inOwnWords(error.detail));
    if (!isUncertain(error)) throw error;
    const { message, exitCode } = failureOf(error, surroundings);
    const hint = `A key "${plain(name)}" may exist all the same. If "tidemark token list" shows it, end it: nobody has its token.`;
    throw new CommandFailure(message, exitCode, [hint]);
  }
};

/** Whether the service may have made a key all the same. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof CommandFailure) &&
  !(error instanceof TidemarkProblem && error.status < 500) &&
  mayBeDone(error);

/** Words of the service, each with the words of the command line for the same thing. */
const ownWords = [
  ['property_ids', '--property'],
  ['DELETE /v1/me/tokens/{token_id}', 'tidemark token end <id>'],
] as const;

const inOwnWords = (sentence: string): string =>
  ownWords.reduce((text, [theirs, own]) => text.replace(theirs, own), sentence);

type ListedToken = Answer<'listTokens'>['tokens'][number];

const keyFacts = (key: Omit<ListedToken, 'created'>): readonly (readonly [name: string, value: string])[] => [
  ['key', `${key.name ?? ''} (${key.id})`],
  ['may', permissionsText(key.permissions)],
  ['reaches', propertiesText(key.properties)],
  ['works until', moment(key.expires)],
];

const list = async (context: Context): Promise<undefined> => {
  const { client } = await context.signedIn();
  const { tokens } = await client.listTokens();
  context.showList(tokens, columns, 'No token works.');
};

const columns: readonly Column<ListedToken>[] = [
  { heading: 'Id', cell: ({ id }) => id },
  { heading: 'Key', least: 10, cell: ({ name }) => name ?? '(sign-in)' },
  { heading: 'May', least: 17, wrap: true, cell: ({ permissions }) => permissionsText(permissions) },
  { heading: 'Reaches', least: 15, wrap: true, cell: ({ properties }) => propertiesText(properties) },
  { heading: 'Made', cell: ({ created }) => moment(created) },
  { heading: 'Works until', cell: ({ expires }) => moment(expires) },
];

const end = async (
  context: Context,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const { client } = await context.signedIn();
  const { tokens } = await client.listTokens();
  const { id, name, created } = tokenIn(tokens, text);
  const title =
    name === null ? `the sign-in of ${moment(created)} (${id})` : `the key "${plain(name)}" (${id})`;
  if (!yes && !(await context.confirm(`End ${title}?`))) return exitCodes.failed;
  await client.deleteToken({ path: { token_id: id } });
  context.show({ id, ended: true }, () => [`Ended ${title}. It stops working within 30 seconds.`]);
  return undefined;
};

/** The token with an id, or the key with a name. Throws a failure with similar names if there is none or several. */
const tokenIn = (tokens: readonly ListedToken[], text: string): ListedToken => {
  const wanted = text.toLowerCase();
  const byId = tokens.filter(({ id }) => id === wanted);
  const found = byId.length > 0 ? byId : tokens.filter(({ name }) => name?.toLowerCase() === wanted);
  const [only, ...others] = found;
  if (only === undefined) {
    const [near] = nearest(
      text,
      tokens.flatMap(({ name }) => name ?? []),
    );
    const hint =
      near === undefined ? 'See the tokens: tidemark token list' : `Did you mean "${plain(near)}"?`;
    throw new CommandFailure(`There is no token "${plain(text)}". ${hint}`);
  }
  if (others.length > 0) {
    throw usageFailure(`Several keys have the name "${plain(text)}"; take an id.`, [
      ...tableOf(columns, found, paintWith(false)),
    ]);
  }
  return only;
};
