/** Operator: dispatches each operator command to its use case. */
import type { AccountDeps, CommandRefusal, Facts, Outcome } from '../auth/accounts.ts';
import { createClient, rotateClient } from '../auth/clients.ts';
import { enableUser } from '../auth/revoke-access.ts';
import { addKeys, listKeys, removeKey } from '../auth/user-keys.ts';
import { readBrandStatus } from '../brands/brand-status.ts';
import { beginLoad, commitLoad, stagePart } from '../brands/load.ts';
import { listEnrichers, removeEnricher, setEnricher } from '../enrichment/configure-enrichers.ts';
import type { ProblemError } from '../http/problem.ts';
import { check } from '../http/schema-faults.ts';
import { grantSource } from '../imports/definitions/change-imports.ts';
import { importRepository } from '../imports/repository/repository.ts';
import { ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { AddressSettings } from '../webhooks/address-settings.ts';
import { changesSince } from './changes-since.ts';
import { closeProperty } from './close-property.ts';
import { createProperty } from './create-property.ts';
import { openAccount } from './open-account.ts';
import { accountPage, propertyPage, userPage } from './list-accounts.ts';
import { listCounters, raiseCounters } from './raise-counters.ts';
import { limitAccount, renameAccount, renameProperty } from './change-account.ts';
import { changedRules, setRules, showProperty } from './property-rules.ts';
import {
  deleteDeadLetters,
  listDeadLetters,
  redriveDeadLetters,
  showDeadLetters,
  type DeadLetterPorts,
} from './dead-letters.ts';
import { deleteAccount } from './delete-account.ts';
import { operatorCommand, type OperatorCommand } from './operator-commands.ts';
import { listTokens, revokeTokens } from './operate-tokens.ts';
import { makeUser, showAccount } from './operate-users.ts';
import { eraseUser, removeUser, setPassword, shutOut } from './shut-out.ts';
import { showUser } from './show-user.ts';

/** The answer to an operator: the facts, or one refusal. A generated password appears only in the answer. */
export type OperatorAnswer =
  { readonly ok: true; readonly [fact: string]: unknown } | { readonly ok: false; readonly error: Refusal };
type Refusal =
  | CommandRefusal
  | { readonly code: 'invalid'; readonly message: string; readonly errors: readonly ProblemError[] };

export interface OperatorDeps extends AccountDeps {
  readonly stage: AddressSettings;
  readonly deadLetters: DeadLetterPorts;
  readonly auditLog: Pick<Table, 'query'>;
}

/** Runs one operator command. Throws only for bugs and for failures that a retry may solve. */
export const operate = async (deps: OperatorDeps, payload: unknown): Promise<OperatorAnswer> => {
  const command = check(operatorCommand, payload);
  if (!command.ok) {
    const error = { code: 'invalid', message: 'The command is not valid; see errors.' } as const;
    return { ok: false, error: { ...error, errors: command.faults } };
  }
  const outcome = await run(deps, command.value);
  return outcome.ok ? { ok: true, ...outcome.value } : { ok: false, error: outcome.error };
};

const run = async (deps: OperatorDeps, command: OperatorCommand): Promise<Outcome> => {
  if (isServiceCommand(command)) return runOnService(deps, command);
  const { credentials } = deps;
  switch (command.command) {
    case 'account.create':
      return openAccount(deps, command);
    case 'account.list':
      return accountPage(deps, command);
    case 'account.rename':
      return renameAccount(deps, command);
    case 'account.limit':
      return limitAccount(deps, command);
    case 'account.show':
      return showAccount(deps, command.account);
    case 'account.delete':
      return done({ account: 'deleted' }, await deleteAccount(credentials, command));
    case 'property.create':
      return named('property', await createProperty(deps, command));
    case 'property.list':
      return propertyPage(deps, command);
    case 'property.close':
      return closeProperty(deps, command);
    case 'property.rename':
      return renameProperty(deps, command);
    case 'property.show':
      return showProperty(deps, command.property);
    case 'property.set':
      return setRules(deps, command.property, changedRules(command));
    case 'client.create':
      return named('client_id', await createClient(deps, command.account));
    case 'client.rotate':
      return named('client_id', await rotateClient(deps, command.account));
    case 'user.create':
      return makeUser(deps, command);
    case 'user.list':
      return userPage(deps, command);
    case 'user.key.add':
      return addKeys(deps, command);
    case 'user.key.remove':
      return removeKey(deps, command);
    case 'user.key.list':
      return listKeys(deps, command);
    case 'user.password':
      return setPassword(deps, command);
    case 'user.disable':
      return shutOut(deps, command);
    case 'user.enable':
      return done({ user: 'enabled' }, await enableUser(deps, command.username));
    case 'user.delete':
      return removeUser(deps, command);
    case 'user.erase':
      return eraseUser(deps, command);
    case 'user.show':
      return showUser(deps, command.username);
    case 'token.list':
      return listTokens(deps, command);
    case 'token.revoke':
      return revokeTokens(deps, command);
  }
};

/** Commands for the service itself: sources of data, the brand catalogue, counters and dead letters. */
type ServiceCommand = Extract<
  OperatorCommand,
  {
    readonly command:
      | `import.${string}`
      | `enricher.${string}`
      | `brands.${string}`
      | `counters.${string}`
      | `audit-log.${string}`
      | `dead-letters.${string}`;
  }
>;

const isServiceCommand = (command: OperatorCommand): command is ServiceCommand =>
  /^(import|enricher|brands|counters|audit-log|dead-letters)\./.test(command.command);

const runOnService = async (deps: OperatorDeps, command: ServiceCommand): Promise<Outcome> => {
  switch (command.command) {
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
    case 'dead-letters.list':
      return listDeadLetters(deps);
    case 'dead-letters.show':
      return showDeadLetters(deps, command);
    case 'dead-letters.redrive':
      return redriveDeadLetters(deps, command);
    case 'dead-letters.delete':
      return deleteDeadLetters(deps, command);
    case 'counters.list':
      return listCounters(deps, command);
    case 'counters.raise':
      return raiseCounters(deps, command);
    case 'audit-log.since':
      return ok({ ...(await changesSince(deps, command)) });
    case 'brands.begin':
      return ok(await beginLoad(deps));
    case 'brands.part':
      return stagePart(deps, command);
    case 'brands.commit':
      return commitLoad(deps, command);
    case 'brands.show':
      return ok(await readBrandStatus(deps.table));
  }
};

const named = (fact: string, result: Outcome<unknown>): Outcome =>
  result.ok ? ok({ [fact]: result.value }) : result;

const done = (facts: Facts, result: Outcome<unknown>): Outcome => (result.ok ? ok(facts) : result);
