import type { Caller } from '../http/api-types.ts';
import { withinRole } from '../http/permissions.ts';
import type { Table } from '../table/table.ts';
import { ownTokens, type HashedToken } from './tokens.ts';

/**
 * The tokens of the caller's user that work and are no wider than the caller's own, the oldest first, with what they may
 * do now. So a narrow token neither learns of wider ones nor ends them.
 */
export const narrowerTokens = async (
  credentials: Table,
  { userHash, role, permissions, properties }: Caller,
  now: number,
): Promise<readonly HashedToken[]> => {
  const tokens = await ownTokens(credentials, userHash, now);
  return tokens
    .map((token) => ({ ...token, permissions: [...withinRole(token.permissions, role)] }))
    .filter(
      (token) =>
        token.permissions.every((permission) => permissions.includes(permission)) &&
        (properties === null ||
          token.properties?.every((property) => properties.includes(property)) === true),
    );
};
