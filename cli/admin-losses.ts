/** What destructive commands take away, in words: the question before a command names the thing and the numbers. */
import * as v from 'valibot';
import { err, ok, type Result } from '../shared/runtime/result.ts';
import { firstOf } from '../shared/runtime/shortened.ts';
import type { AdminAnswer } from './admin-service.ts';

type Command = Readonly<Record<string, unknown>>;

/** Runs a command that only reads. */
export type AskFacts = (command: Command) => Promise<AdminAnswer>;

/** The words for what a command would do, `Delete user ada with …`; otherwise the sentence with which it would fail. */
export type Loss = (command: Command, ask: AskFacts) => Promise<Result<string, string>>;

const owned = v.object({
  name: v.string(),
  client_id: v.nullable(v.string()),
  users: v.array(v.unknown()),
});

/** For `account delete`. */
export const accountLoss: Loss = async (command, ask) => {
  const { account } = v.parse(v.object({ account: v.number() }), command);
  const found = await facts(owned, ask({ command: 'account.show', account }));
  if (!found.ok) return found;
  const { name, client_id, users } = found.value;
  const client = client_id === null ? '' : 'its client id and ';
  return ok(`Delete account ${account} (${name}) with ${client}${counted(users, 'user')}`);
};

/** For `client rotate`. */
export const clientLoss: Loss = async (command, ask) => {
  const { account } = v.parse(v.object({ account: v.number() }), command);
  const found = await facts(owned, ask({ command: 'account.show', account }));
  if (!found.ok) return found;
  const { name, users } = found.value;
  return ok(`Replace the client id of account ${account} (${name}), which has ${counted(users, 'user')},`);
};

const listedProperties = v.object({
  properties: v.array(v.object({ id: v.number(), name: v.nullable(v.string()), account: v.number() })),
});

/** For `property delete`. */
export const propertyLoss: Loss = async (command, ask) => {
  const { property } = v.parse(v.object({ property: v.number() }), command);
  // The page that begins with the property.
  const page = { command: 'property.list', ...(property > 1 && { after: property - 1 }) };
  const found = await facts(listedProperties, ask(page));
  if (!found.ok) return found;
  const one = found.value.properties.find(({ id }) => id === property);
  return one
    ? ok(
        `Delete property ${property} (${one.name ?? 'without owner'}) of account ${one.account} with all its data`,
      )
    : err('There is no such property.');
};

const rules = v.object({
  property: v.number(),
  profile_months: v.optional(v.number()),
  file_days: v.optional(v.number()),
  special_categories: v.optional(v.string()),
});

/** For `property set`: only an end of profiles and of files takes something away. */
export const rulesLoss: Loss = async (command, ask) => {
  const { property, profile_months: months, file_days: days } = v.parse(rules, command);
  const found = await facts(v.object({ name: v.string() }), ask({ command: 'property.show', property }));
  if (!found.ok) return found;
  const losses = [
    months ? [`profiles that nothing has renewed for ${months} months`] : [],
    days ? [`files and reports after ${days} days`] : [],
  ].flat();
  const lost = losses.length === 0 ? '' : `, and remove ${losses.join(' and ')} for good`;
  return ok(`Change the rules of property ${property} (${found.value.name})${lost}`);
};

const sshKeys = v.object({ keys: v.array(v.object({ fingerprint: v.string() })) });

const shownUser = v.object({
  ssh_keys: v.number(),
  definitions: v.array(
    v.looseObject({
      property: v.number(),
      import: v.optional(v.number()),
      export: v.optional(v.number()),
      has: v.nullable(v.string()),
    }),
  ),
});

/** Definitions, and keys, that a question names. */
const NAMED = 5;

const heldTokens = v.object({ tokens: v.array(v.object({ name: v.nullable(v.string()) })) });

/** The names of the keys among tokens: somebody has put each into a program. */
const namesOf = ({ tokens }: v.InferOutput<typeof heldTokens>): string => {
  const names = tokens.flatMap(({ name }) => name ?? []);
  return names.length === 0 ? '' : ` (keys: ${firstOf(names, NAMED, (name) => name)})`;
};

/** For `user delete`. */
export const userLoss: Loss = async (command, ask) => {
  const { username, keep_links } = v.parse(
    v.object({ username: v.string(), keep_links: v.optional(v.boolean()) }),
    command,
  );
  const user = await facts(shownUser, ask({ command: 'user.show', username }));
  if (!user.ok) return user;
  const tokens = await facts(heldTokens, ask({ command: 'token.list', username }));
  if (!tokens.ok) return tokens;
  const { ssh_keys, definitions } = user.value;
  const links = keep_links === true ? '' : ', and close the links that the user made';
  const has = `${counted(tokens.value.tokens, 'token')}${namesOf(tokens.value)} and ${ssh_keys} SSH key${ssh_keys === 1 ? '' : 's'}`;
  return ok(`${staying(definitions)}Delete user ${username} with ${has}${links}`);
};

/** For `user erase`. */
export const erasureLoss: Loss = (command) => {
  const { account, user, email } = v.parse(
    v.object({ account: v.number(), user: v.number(), email: v.string() }),
    command,
  );
  return Promise.resolve(ok(`End mail, links and names of user ${user} (${email}) of account ${account}`));
};

/** A sentence for the definitions that stay when their user goes. */
const staying = (definitions: v.InferOutput<typeof shownUser>['definitions']): string => {
  if (definitions.length === 0) return '';
  const named = definitions.slice(0, NAMED).map(({ import: source, export: target, has }) => {
    const title = target === undefined ? `import ${source}` : `export ${target}`;
    return has === null ? title : `${title} (${has})`;
  });
  const more = definitions.length > NAMED ? ` and ${definitions.length - NAMED} more` : '';
  return `${counted(definitions, 'definition')} of the user will stay: ${named.join(', ')}${more}. Replace or delete what nobody needs ("user show").\n`;
};

/** For `user key remove`. */
export const keyLoss: Loss = async (command, ask) => {
  const { username, fingerprint } = v.parse(
    v.object({ username: v.string(), fingerprint: v.string() }),
    command,
  );
  const found = await facts(sshKeys, ask({ command: 'user.key.list', username }));
  if (!found.ok) return found;
  const { keys } = found.value;
  return keys.some((key) => key.fingerprint === fingerprint)
    ? ok(`Remove key ${fingerprint}, 1 of ${counted(keys, 'SSH key')} of user ${username},`)
    : err('This user has no such key.');
};

const listedEnrichers = v.object({ enrichers: v.array(v.object({ name: v.string(), url: v.string() })) });

/** For `enricher remove`. */
export const enricherLoss: Loss = async (command, ask) => {
  const { property, name } = v.parse(v.object({ property: v.number(), name: v.string() }), command);
  const found = await facts(listedEnrichers, ask({ command: 'enricher.list', property }));
  if (!found.ok) return found;
  const one = found.value.enrichers.find((enricher) => enricher.name === name);
  return one
    ? ok(`Remove enricher ${name} (${one.url}) of property ${property}`)
    : err('There is no such enricher.');
};

/** For `dead-letters delete`. */
export const letterLoss: Loss = async (command, ask) => {
  const { queue } = v.parse(v.object({ queue: v.string() }), command);
  const size = v.object({ messages: v.number() });
  const found = await facts(size, ask({ command: 'dead-letters.show', queue }));
  if (!found.ok) return found;
  // SQS counts roughly.
  const { messages } = found.value;
  return ok(`Delete all messages (about ${messages}) of the dead-letter queue ${queue}`);
};

/** The facts in an answer, or the sentence of a refusal. */
const facts = async <S extends v.GenericSchema>(
  schema: S,
  asked: Promise<AdminAnswer>,
): Promise<Result<v.InferOutput<S>, string>> => {
  const answer = await asked;
  return answer.ok ? ok(v.parse(schema, answer)) : err(answer.error.message);
};

const counted = ({ length }: readonly unknown[], thing: string): string =>
  `${length} ${thing}${length === 1 ? '' : 's'}`;
