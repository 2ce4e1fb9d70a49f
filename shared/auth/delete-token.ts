import { markOfHash } from '../audit/audit-trail.ts';
import type { CallerUseCase } from '../http/api-types.ts';
import { missing } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import { narrowerTokens } from './narrower-tokens.ts';
import { endToken } from './tokens.ts';

/**
 * Ends the token of the caller's user that has the mark in the path. 404 when there is none among the tokens that work
 * and are no wider than the caller's. Two tokens with one mark end together; among a hundred tokens that happens once in a
 * million users.
 */
export const deleteToken: CallerUseCase<{ readonly credentials: Table }> = async (
  { credentials },
  { caller, path, now },
) => {
  const id = path['token_id'];
  const tokens = await narrowerTokens(credentials, caller, now);
  const named = tokens.filter(({ hash }) => markOfHash(hash) === id);
  if (named.length === 0)
    return err(missing('There is no such token, it has ended, or it may do more than yours.'));
  for (const { hash } of named) await endToken(credentials, hash);
  return ok({ status: 200, body: { id } });
};
