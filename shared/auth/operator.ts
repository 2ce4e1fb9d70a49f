import * as v from 'valibot';
import { check } from '../http/schema-faults.ts';
import { idSchema, isCleanIdentifier } from '../http/text.ts';
import type { ProblemError } from '../http/problem.ts';
import { limits } from '../../lib/config/limits.ts';
import { beginLoad, commitLoad, stagePart } from '../brands/load.ts';
import { showBrands } from '../brands/show.ts';
import { listEnrichers, removeEnricher, setEnricher } from '../enrichment/configure.ts';
import { brandColumns } from '../brands/rows.ts';
import { questionKinds } from '../enrichment/enrichers.ts';
import { grantedTiers } from '../profiles/types.ts';
import { grantSource } from '../imports/grant-source.ts';
import { importRepository } from '../imports/repository.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { WebhookStage } from '../webhooks/stage.ts';
import {
  createAccount,
  createClient,
  createProperty,
  findAccount,
  listProperties,
  unknownAccount,
  type AccountDeps,
  type Refused,
} from './accounts.ts';
import { revokeAll, revokeToken } from './revoke.ts';
import { seedAccount } from './seed.ts';
import { isPassword } from './token-request.ts';
import { addKeys, listKeys, removeKey } from './user-keys.ts';
import { createUser, listUsers } from './users.ts';

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.check(isCleanIdentifier));
const username = v.pipe(v.string(), v.regex(/^\w[\w@.-]{2,99}$/));
const password = v.pipe(
  v.string(),
  v.check((text) => isPassword(text)),
);
const email = v.pipe(v.string(), v.maxLength(320), v.email());
/** Parts of a load of the brand catalogue: those of the largest file. */
const part = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000));
const definition = { property: idSchema, import: idSchema };
const enricher = {
  property: idSchema,
  name: v.pipe(v.string(), v.regex(/^[a-z\d][a-z\d_-]*$/), v.maxLength(limits.enrichment.nameLength)),
};

/** Every command of an operator, as the Lambda function is invoked with it. */
export const operatorCommand = v.variant('command', [
  v.strictObject({ command: v.literal('account.create'), name }),
  v.strictObject({ command: v.literal('account.show'), account: idSchema }),
  v.strictObject({ command: v.literal('property.create'), account: idSchema, name }),
  v.strictObject({ command: v.literal('client.create'), account: idSchema }),
  v.strictObject({
    command: v.literal('user.create'),
    account: idSchema,
    username,
    email,
    first_name: name,
    last_name: name,
    password: v.optional(password),
  }),
  v.strictObject({
    command: v.literal('user.key.add'),
    username,
    key: v.pipe(v.string(), v.maxLength(limits.auth.sshKeysPerUser * limits.auth.sshKeyLength)),
  }),
  v.strictObject({
    command: v.literal('user.key.remove'),
    username,
    fingerprint: v.pipe(v.string(), v.regex(/^SHA256:[A-Za-z0-9+/]{43}$/)),
  }),
  v.strictObject({ command: v.literal('user.key.list'), username }),
  v.strictObject({ command: v.literal('tokens.revoke'), username }),
  v.strictObject({
    command: v.literal('token.revoke'),
    token: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  }),
  v.strictObject({ command: v.literal('import.grant'), ...definition, tier: v.picklist(grantedTiers) }),
  v.strictObject({ command: v.literal('import.revoke'), ...definition }),
  v.strictObject({
    command: v.literal('enricher.set'),
    ...enricher,
    url: v.pipe(v.string(), v.maxLength(limits.exports.urlLength)),
    asks: v.picklist(questionKinds),
    tiers: v.pipe(v.array(v.picklist(grantedTiers)), v.minLength(1), v.maxLength(grantedTiers.length)),
  }),
  v.strictObject({ command: v.literal('enricher.remove'), ...enricher }),
  v.strictObject({ command: v.literal('enricher.list'), property: idSchema }),
  v.strictObject({ command: v.literal('brands.begin') }),
  v.strictObject({
    command: v.literal('brands.part'),
    version: idSchema,
    part,
    rows: v.pipe(
      v.array(v.pipe(v.array(v.string()), v.maxLength(brandColumns.length))),
      v.check((rows) => Buffer.byteLength(JSON.stringify(rows)) <= limits.brands.partBytes, 'Is too large.'),
    ),
  }),
  v.strictObject({
    command: v.literal('brands.commit'),
    version: idSchema,
    parts: part,
    pages: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(limits.brands.pages)),
  }),
  v.strictObject({ command: v.literal('brands.show') }),
  v.strictObject({
    command: v.literal('seed'),
    account: name,
    property: name,
    client_id: v.pipe(name, v.minLength(8)),
    username,
    password,
  }),
]);
type OperatorCommand = v.InferOutput<typeof operatorCommand>;

/** What an operator gets: the facts, or one refusal. A generated password is in the answer and nowhere else. */
export type OperatorAnswer =
  { readonly ok: true; readonly [fact: string]: unknown } | { readonly ok: false; readonly error: Refusal };
type Refusal =
  Refused | { readonly code: 'invalid'; readonly message: string; readonly errors: readonly ProblemError[] };

type Facts = Readonly<Record<string, unknown>>;

/** What operator commands need. */
export interface OperatorDeps extends AccountDeps {
  readonly stage: WebhookStage;
}

/** Runs one command of an operator. Throws only what a retry may mend or a bug. */
export const operate = async (deps: OperatorDeps, payload: unknown): Promise<OperatorAnswer> => {
  const command = check(operatorCommand, payload);
  if (!command.ok) {
    const error = { code: 'invalid', message: 'The command is not valid; see errors.' } as const;
    return { ok: false, error: { ...error, errors: command.faults } };
  }
  const outcome = await run(deps, command.value);
  return outcome.ok ? { ok: true, ...outcome.value } : { ok: false, error: outcome.error };
};

const run = async (deps: OperatorDeps, command: OperatorCommand): Promise<Result<Facts, Refused>> => {
  const { table, credentials } = deps;
  switch (command.command) {
    case 'account.create':
      return ok({ account: await createAccount(deps, command.name) });
    case 'account.show':
      return showAccount(deps, command.account);
    case 'property.create':
      return named('property', await createProperty(deps, command));
    case 'client.create':
      return named('client_id', await createClient(deps, command.account));
    case 'user.create':
      return makeUser(deps, command);
    case 'user.key.add':
      return addKeys(deps, command);
    case 'user.key.remove':
      return removeKey(deps, command);
    case 'user.key.list':
      return listKeys(deps, command);
    case 'tokens.revoke':
      return named('tokens', await revokeAll(credentials, command.username));
    case 'token.revoke':
      return named('token', await revokeToken(credentials, command.token));
    case 'import.grant':
      return grantSource(importRepository(deps), command);
    case 'import.revoke':
      return grantSource(importRepository(deps), { ...command, tier: null });
    case 'enricher.set':
      return setEnricher(deps, command);
    case 'enricher.remove':
      return removeEnricher(deps, command);
    case 'enricher.list':
      return listEnrichers(deps, command.property);
    case 'brands.begin':
      return ok(await beginLoad(deps));
    case 'brands.part':
      return stagePart(deps, command);
    case 'brands.commit':
      return commitLoad(deps, command);
    case 'brands.show':
      return ok(await showBrands(table));
    case 'seed':
      return seed(deps, command);
  }
};

const named = (fact: string, result: Result<unknown, Refused>): Result<Facts, Refused> =>
  result.ok ? ok({ [fact]: result.value }) : result;

const seed = async (
  deps: AccountDeps,
  command: Extract<OperatorCommand, { command: 'seed' }>,
): Promise<Result<Facts, Refused>> => {
  const seeded = await seedAccount(deps, command);
  return seeded.ok ? ok({ ...seeded.value }) : seeded;
};

const makeUser = async (
  deps: AccountDeps,
  user: Extract<OperatorCommand, { command: 'user.create' }>,
): Promise<Result<Facts, Refused>> => {
  const password = user.password ?? deps.ids.nonce() + deps.ids.nonce();
  const made = await createUser(deps, { ...user, password });
  if (!made.ok) return made;
  return ok({
    user: made.value,
    username: user.username,
    ...(user.password === undefined ? { password } : {}),
  });
};

const showAccount = async ({ credentials }: AccountDeps, id: number): Promise<Result<Facts, Refused>> => {
  const found = await findAccount(credentials, id);
  if (!found) return err(unknownAccount);
  return ok({
    account: id,
    name: found.account.name,
    client_id: found.account.client_id ?? null,
    properties: await listProperties(credentials, id),
    users: await listUsers(credentials, id),
  });
};
