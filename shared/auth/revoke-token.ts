/** Revoke token: ends the token in the body of a request (RFC 7009). */
import { markOfHash, type AuditTrail } from '../audit/audit-trail.ts';
import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import type { Clock } from '../runtime/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import { ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { isInForce, userFrom } from './credential-items.ts';
import { oauthAnswer } from './oauth-answer.ts';
import { readRevokedToken } from './token-request.ts';
import { endToken } from './tokens.ts';

export interface RevokeTokenDeps {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly audit: Pick<AuditTrail, 'tryAdd'>;
}

/**
 * Ends a token; whoever has it may. The answer is the same for a token that does not exist or has ended (RFC 7009, 2.2).
 * The audit log has the end of a token.
 */
export const revokeToken = async (
  deps: RevokeTokenDeps,
  request: PublicRequest,
): Promise<Result<ApiAnswer, never>> => {
  const token = readRevokedToken(request.headers['content-type'], request.body);
  if (!token.ok) return ok(oauthAnswer(token.error));
  await end(deps, sha256(token.value), request);
  return ok({ status: 200, body: {} });
};

const end = async (
  { credentials, clock, audit }: RevokeTokenDeps,
  hash: string,
  { requestId, sourceIp }: PublicRequest,
): Promise<void> => {
  const ended = await endToken(credentials, hash);
  if (!ended) return;
  const stored = await credentials.get(credentialKeys.user(ended.user));
  const user = stored && userFrom(stored);
  await audit.tryAdd(ended.account, {
    time: clock(),
    action: 'sign-out',
    outcome: 'ended',
    request_id: requestId,
    // A later user of the same name may even belong to another account.
    user: user && isInForce(ended, user) ? user.id : undefined,
    token: markOfHash(hash),
    source: sourceIp,
    // As in the entry of `DELETE /v1/me/tokens/{token_id}`: whoever repeats the end after a restore reads the ids.
    ids: { token_id: markOfHash(hash) },
  });
};
