import { markOfHash } from '../audit/audit-trail.ts';
import type { CallerUseCase } from '../http/api-types.ts';
import { isoTime } from '../runtime/clock.ts';
import { ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import { narrowerTokens } from './narrower-tokens.ts';

/** Lists the tokens of the caller's user that work and that are no wider than the caller's own, the oldest first. */
export const listTokens: CallerUseCase<{ readonly credentials: Table }> = async (
  { credentials },
  { caller, now },
) => {
  const tokens = await narrowerTokens(credentials, caller, now);
  return ok({
    status: 200,
    body: {
      tokens: tokens.map(({ hash, name, permissions, properties, created, expires }) => ({
        id: markOfHash(hash),
        name,
        permissions,
        properties,
        created: isoTime(created),
        expires: isoTime(expires),
      })),
    },
  });
};
