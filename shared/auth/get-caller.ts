import type { CallerUseCase } from '../http/api-types.ts';
import { isoTime } from '../runtime/clock.ts';
import { readRules, rulesOf } from '../properties/rules.ts';
import { ok } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { findAccount, listProperties } from './accounts.ts';

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
    listProperties(credentials, account),
  ]);
  if (!found) throw new Error('the account of a caller is gone');
  const { name } = found.account;
  const reached = own.filter(({ id }) => properties === null || properties.includes(id));
  const rules = await table.getMany(reached.map(({ id }) => keys.rules(id)));
  return ok({
    status: 200,
    body: {
      user,
      role,
      permissions,
      account: { id: account, name },
      properties: reached.map((property, index) => ({
        ...property,
        search_names: rulesOf(readRules(rules[index])).searchNames,
      })),
      token: { ...token, properties, expires: isoTime(expires) },
    },
  });
};
