import type { CallerUseCase } from '../http/api-types.ts';
import { isoTime } from '../runtime/clock.ts';
import { readRules, rulesOf } from '../properties/rules.ts';
import { ok } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { findAccount, propertiesAmong, propertyIds } from './accounts.ts';

export interface CallerDeps {
  /** The table of data. */
  readonly table: Pick<Table, 'getMany'>;
  readonly credentials: Table;
}

/**
 * Shows a caller who they are, what their token may do and which properties it reaches. Throws when the account is gone: a
 * token dies with it.
 */
export const getCaller: CallerUseCase<CallerDeps> = async (
  { table, credentials },
  { caller: { user, role, account, permissions, properties, token, expires } },
) => {
  const [found, own] = await Promise.all([
    findAccount(credentials, account),
    reachedProperties({ table, credentials }, account, properties),
  ]);
  if (!found) throw new Error('the account of a caller is gone');
  const { name } = found.account;
  return ok({
    status: 200,
    body: {
      user,
      role,
      permissions,
      account: { id: account, name },
      properties: own,
      token: { ...token, properties, expires: isoTime(expires) },
    },
  });
};

/** The properties of an account that a token reaches, and which of them search by name. */
const reachedProperties = async (
  { table, credentials }: CallerDeps,
  account: number,
  reached: readonly number[] | null,
) => {
  const all = await propertyIds(credentials, account);
  const ids = reached === null ? all : all.filter((id) => reached.includes(id));
  const [own, rules] = await Promise.all([
    propertiesAmong(credentials, ids),
    table.getMany(ids.map((id) => keys.rules(id))),
  ]);
  const searching = new Set(ids.filter((_, index) => rulesOf(readRules(rules[index])).searchNames));
  return own.map((property) => ({ ...property, search_names: searching.has(property.id) }));
};
