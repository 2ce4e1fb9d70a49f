import type { CallerUseCase } from '../http/api-types.ts';
import { isoTime } from '../runtime/clock.ts';
import { ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import { findAccount, listProperties } from './accounts.ts';

/**
 * Shows a caller who they are, what their token may do and which properties it reaches. Throws when the account is gone: a
 * token dies with it.
 */
export const getCaller: CallerUseCase<{ readonly credentials: Table }> = async (
  { credentials },
  { caller: { user, role, account, permissions, properties, token, expires } },
) => {
  const [found, own] = await Promise.all([
    findAccount(credentials, account),
    listProperties(credentials, account),
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
      properties: own.filter(({ id }) => properties === null || properties.includes(id)),
      token: { ...token, properties, expires: isoTime(expires) },
    },
  });
};
