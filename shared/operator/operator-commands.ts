/** Operator commands: each with the schema of its parameters and its use case. */
import * as v from 'valibot';
import type { AccountDeps, CommandRefusal, Facts, Outcome } from '../auth/accounts.ts';
import { createClient, rotateClient } from '../auth/clients.ts';
import { enableUser } from '../auth/revoke-access.ts';
import { addKeys, listKeys, removeKey } from '../auth/user-keys.ts';
import { readBrandStatus } from '../brands/brand-status.ts';
import { beginLoad, commit, commitLoad, stagedPart, stagePart } from '../brands/load.ts';
import { limits } from '../config/limits.ts';
import { listEnrichers, removeEnricher, setEnricher } from '../enrichment/configure-enrichers.ts';
import { questionKinds } from '../enrichment/enrichers.ts';
import { roleSchema } from '../http/permissions.ts';
import type { ProblemError } from '../http/problem.ts';
import { check } from '../http/schema-faults.ts';
import { idSchema } from '../http/text.ts';
import { grantSource } from '../imports/definitions/change-imports.ts';
import { importRepository } from '../imports/repository/repository.ts';
import { grantedTiers } from '../profiles/types.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { AddressSettings } from '../webhooks/address-settings.ts';
import { limitAccount, renameAccount, renameProperty } from './change-account.ts';
import { changesSince, changesSinceCommand } from './changes-since.ts';
import { closeProperty } from './close-property.ts';
import {
  email,
  enricherName,
  fingerprint,
  hex64,
  isNotName,
  name,
  newPassword,
  username,
} from './command-ids.ts';
import { createProperty } from './create-property.ts';
import {
  deleteDeadLetters,
  listDeadLetters,
  redriveDeadLetters,
  showDeadLetters,
  type DeadLetterPorts,
} from './dead-letters.ts';
import { deleteAccount } from './delete-account.ts';
import { accountPage, propertyPage, userPage } from './list-accounts.ts';
import { newAccount, openAccount } from './open-account.ts';
import { listTokens, revokeTokens } from './operate-tokens.ts';
import { makeUser, setRole, showAccount } from './operate-users.ts';
import { ruleParameters, setRules, showProperty } from './property-rules.ts';
import { listCounters, raiseCommand, raiseCounters } from './raise-counters.ts';
import { showUser } from './show-user.ts';
import { eraseUser, removeUser, setPassword, shutOut } from './shut-out.ts';

export interface OperatorDeps extends AccountDeps {
  readonly stage: AddressSettings;
  readonly deadLetters: DeadLetterPorts;
  readonly auditLog: Pick<Table, 'query'>;
}

/** A command whose parameters are checked. */
type Run = (deps: OperatorDeps) => Promise<Outcome>;

/** Checks the parameters of a command. */
type Command = (parameters: unknown) => Result<Run, readonly ProblemError[]>;

/** A command by the schema of its parameters. */
const checked =
  <Parameters>(
    schema: v.GenericSchema<unknown, Parameters>,
    run: (deps: OperatorDeps, parameters: Parameters) => Promise<Outcome>,
  ): Command =>
  (sent) => {
    const parameters = check(schema, sent);
    return parameters.ok ? ok((deps) => run(deps, parameters.value)) : err(parameters.faults);
  };

/** A command by its parameters. */
const command = <const Entries extends v.ObjectEntries>(
  entries: Entries,
  run: (
    deps: OperatorDeps,
    parameters: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>,
  ) => Promise<Outcome>,
): Command => checked(v.strictObject(entries), run);

const named = (fact: string, result: Outcome<unknown>): Outcome =>
  result.ok ? ok({ [fact]: result.value }) : result;

const done = (facts: Facts, result: Outcome<unknown>): Outcome => (result.ok ? ok(facts) : result);

/** Id behind which a page of a list begins: the `next` of the page before. */
const after = v.optional(idSchema);

/** Options of the commands that take back what was given in a user's name. */
const ending = { keep_links: v.optional(v.boolean()), after };

const definition = { property: idSchema, import: idSchema };
const enricher = { property: idSchema, name: enricherName };

const notTheName = 'Must not be the user name.';

/** Whether a command has exactly one parameter. */
const namesOne = (asked: object): boolean => Object.keys(asked).length === 1;

/** Commands about accounts and their properties. */
const accounts = {
  'account.create': checked(newAccount, openAccount),
  'account.list': command({ after }, accountPage),
  'account.show': command({ account: idSchema }, (deps, { account }) => showAccount(deps, account)),
  'account.rename': command({ account: idSchema, name }, renameAccount),
  'account.limit': command(
    {
      account: idSchema,
      requests_per_second: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.rates.mostRequestsPerSecond)),
      ),
    },
    limitAccount,
  ),
  'account.delete': command({ account: idSchema, confirm: name }, async ({ credentials }, asked) =>
    done({ account: 'deleted' }, await deleteAccount(credentials, asked)),
  ),
  'property.create': command({ account: idSchema, name }, async (deps, asked) =>
    named('property', await createProperty(deps, asked)),
  ),
  'property.list': command({ account: v.optional(idSchema), after }, propertyPage),
  'property.rename': command({ property: idSchema, name }, renameProperty),
  'property.show': command({ property: idSchema }, (deps, { property }) => showProperty(deps, property)),
  'property.set': checked(ruleParameters, setRules),
  'property.close': command({ property: idSchema, confirm: name }, closeProperty),
  'client.create': command({ account: idSchema }, async (deps, { account }) =>
    named('client_id', await createClient(deps, account)),
  ),
  'client.rotate': command({ account: idSchema }, async (deps, { account }) =>
    named('client_id', await rotateClient(deps, account)),
  ),
};

/** Commands about users, their keys and their tokens. */
const users = {
  'user.create': checked(
    v.pipe(
      v.strictObject({
        account: idSchema,
        username,
        email,
        first_name: name,
        last_name: name,
        password: v.optional(newPassword),
        role: v.optional(roleSchema),
      }),
      v.forward(
        v.check((user) => isNotName(user), notTheName),
        ['password'],
      ),
    ),
    makeUser,
  ),
  'user.role': command({ username, role: roleSchema }, setRole),
  'user.list': command({ account: v.optional(idSchema), after }, userPage),
  'user.key.add': command(
    {
      username,
      key: v.pipe(v.string(), v.maxLength(limits.auth.sshKeysPerUser * limits.auth.sshKeyLength)),
    },
    addKeys,
  ),
  'user.key.remove': command({ username, fingerprint }, removeKey),
  'user.key.list': command({ username }, listKeys),
  'user.password': checked(
    v.pipe(
      v.strictObject({ username, password: v.optional(newPassword), ...ending }),
      v.forward(
        v.check((user) => isNotName(user), notTheName),
        ['password'],
      ),
    ),
    setPassword,
  ),
  'user.disable': command({ username, ...ending }, shutOut),
  'user.enable': command({ username }, async (deps, asked) =>
    done({ user: 'enabled' }, await enableUser(deps, asked.username)),
  ),
  'user.delete': command({ username, ...ending }, removeUser),
  'user.show': command({ username }, (deps, asked) => showUser(deps, asked.username)),
  'user.erase': command({ account: idSchema, user: idSchema, email, ...ending }, eraseUser),
  'token.list': checked(
    v.pipe(
      v.strictObject({ username: v.optional(username), account: v.optional(idSchema) }),
      v.check((asked) => namesOne(asked), 'Name either a user or an account.'),
    ),
    listTokens,
  ),
  'token.revoke': checked(
    v.pipe(
      v.strictObject({
        token: v.optional(hex64),
        id: v.optional(hex64),
        username: v.optional(username),
        account: v.optional(idSchema),
      }),
      v.check((asked) => namesOne(asked), 'Name either a token, its id, a user or an account.'),
    ),
    revokeTokens,
  ),
};

/** Commands about the service itself: sources of data, dead letters, counters and the brand catalogue. */
const service = {
  'import.grant': command({ ...definition, tier: v.picklist(grantedTiers) }, (deps, asked) =>
    grantSource(importRepository(deps), asked),
  ),
  'import.revoke': command(definition, (deps, asked) =>
    grantSource(importRepository(deps), { ...asked, tier: null }),
  ),
  'enricher.set': command(
    {
      ...enricher,
      url: v.pipe(v.string(), v.maxLength(limits.exports.urlLength)),
      asks: v.picklist(questionKinds),
      tiers: v.pipe(v.array(v.picklist(grantedTiers)), v.minLength(1), v.maxLength(grantedTiers.length)),
    },
    setEnricher,
  ),
  'enricher.remove': command(enricher, removeEnricher),
  'enricher.list': command({ property: idSchema }, (deps, { property }) => listEnrichers(deps, property)),
  'dead-letters.list': command({}, listDeadLetters),
  'dead-letters.show': command({ queue: name }, showDeadLetters),
  'dead-letters.redrive': command({ queue: name }, redriveDeadLetters),
  'dead-letters.delete': command({ queue: name }, deleteDeadLetters),
  'counters.list': command({ after }, listCounters),
  'counters.raise': checked(raiseCommand, raiseCounters),
  'audit-log.since': checked(changesSinceCommand, async (deps, asked) =>
    ok({ ...(await changesSince(deps, asked)) }),
  ),
  'brands.begin': command({}, async (deps) => ok(await beginLoad(deps))),
  'brands.part': checked(stagedPart, stagePart),
  'brands.commit': checked(commit, commitLoad),
  'brands.show': command({}, async (deps) => ok(await readBrandStatus(deps.table))),
};

const commands: ReadonlyMap<string, Command> = new Map(Object.entries({ ...accounts, ...users, ...service }));

/** The payload of the operator function: the name of a command, and its parameters. */
const payloadShape = v.looseObject({
  command: v.pipe(
    v.string(),
    v.check((asked) => commands.has(asked), 'There is no such command.'),
  ),
});

/** The command of a payload, ready to run; or the faults of the payload. */
export const readCommand = (payload: unknown): Result<Run, readonly ProblemError[]> => {
  const asked = check(payloadShape, payload);
  if (!asked.ok) return err(asked.faults);
  const { command: called, ...parameters } = asked.value;
  const known = commands.get(called);
  if (!known) throw new Error('operator: a command was not checked');
  return known(parameters);
};

/** The answer to an operator: the facts, or one refusal. A generated password appears only in the answer. */
export type OperatorAnswer =
  { readonly ok: true; readonly [fact: string]: unknown } | { readonly ok: false; readonly error: Refusal };
type Refusal =
  | CommandRefusal
  | { readonly code: 'invalid'; readonly message: string; readonly errors: readonly ProblemError[] };

/** Runs one operator command. Throws only for bugs and for failures that a retry may solve. */
export const operate = async (deps: OperatorDeps, payload: unknown): Promise<OperatorAnswer> => {
  const run = readCommand(payload);
  if (!run.ok) {
    const error = { code: 'invalid', message: 'The command is not valid; see errors.' } as const;
    return { ok: false, error: { ...error, errors: run.error } };
  }
  const outcome = await run.value(deps);
  return outcome.ok ? { ok: true, ...outcome.value } : { ok: false, error: outcome.error };
};
