/** Token route: issues access tokens by the password grant of OAuth 2.0 (RFC 6749). */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import { allPermissions, roles, withinRole, type Permission, type Role } from '../http/permissions.ts';
import { tokenMark, type AuditedIds, type AuditTrail } from '../audit/audit-trail.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { listProperties } from './accounts.ts';
import { accountItem, clientItem, type User } from './credential-items.ts';
import { sha256 } from '../runtime/hash.ts';
import { networkOf } from './login-failures.ts';
import { oauthAnswer } from './oauth-answer.ts';
import { passwordLogin, type LoginRefused } from './password-login.ts';
import type { Kdf } from './passwords.ts';
import { recordLogin } from './record-login.ts';
import { readUser } from './change-user.ts';
import { makeToken } from './tokens.ts';
import type { tokenAnswer } from './schemas.ts';
import { readTokenRequest, type OAuthError, type TokenRequest } from './token-request.ts';

export interface TokenDeps {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly kdf: Kdf;
  readonly log: Log;
  readonly audit: AuditTrail;
}

/** The token route (RFC 6749, password grant). */
export const issueToken = async (
  deps: TokenDeps,
  request: PublicRequest,
): Promise<Result<ApiAnswer, never>> => {
  const asked = /^basic\b/i.test(request.headers['authorization'] ?? '')
    ? err(basicRefused)
    : readTokenRequest(request.headers['content-type'], request.body);
  if (asked.ok) {
    const outcome = await tokenFor(deps, asked.value, request);
    return ok(outcome.ok ? { status: 200, body: outcome.value } : oauthAnswer(outcome.error));
  }
  const facts = { request_id: request.requestId, source: networkOf(request.sourceIp) };
  deps.log('login.refused', { ...facts, outcome: asked.error.error });
  return ok(oauthAnswer(asked.error));
};

const tokenFor = async (
  deps: TokenDeps,
  asked: TokenRequest,
  { sourceIp, requestId }: PublicRequest,
): Promise<Result<v.InferOutput<typeof tokenAnswer>, OAuthError>> => {
  const { clientId, username, password } = asked;
  const source = { client: clientId, username, sourceIp };
  const find = async (): Promise<User | undefined> => {
    const [account, user] = await Promise.all([
      accountOf(deps.credentials, clientId),
      readUser(deps.credentials, username),
    ]);
    return (known = user?.account === account ? user : undefined);
  };
  let known: User | undefined;
  const login = await passwordLogin(deps, source, password, find);
  const made = login.ok ? await tokenWithin(deps, login.value, asked) : err(refusalOf(login.error));
  await recordLogin(deps, {
    way: 'sign-in',
    user: known,
    sourceIp,
    requestId,
    outcome: made.ok ? 'admitted' : made.error.error,
    ...(made.ok && { token: tokenMark(made.value.token), ids: grantedIds(asked, made.value) }),
  });
  if (!made.ok) return made;
  return ok({
    access_token: made.value.token,
    token_type: 'Bearer',
    expires_in: asked.seconds,
    scope: made.value.permissions.join(' '),
    session_id: null,
  });
};

/** What a narrower token or a key was given, for the audit log; nothing for a plain sign-in. A name is text of the client. */
const grantedIds = (
  { scope, propertyIds, name }: TokenRequest,
  { permissions }: { readonly permissions: readonly Permission[] },
): AuditedIds => ({
  ...(name !== null && { kind: 'key' }),
  ...((scope !== undefined || name !== null) && { scope: permissions.join(' ') }),
  ...(propertyIds !== null && { property_ids: propertyIds.join(',') }),
});

/** A new token that may do what was asked for, within the role of its user and the properties of the account. */
const tokenWithin = async (
  deps: TokenDeps,
  user: User,
  { scope, propertyIds, name, seconds }: TokenRequest,
): Promise<Result<{ readonly token: string; readonly permissions: readonly Permission[] }, LoginError>> => {
  const permissions = withinRole(scope ?? allPermissions, user.role);
  if (scope && permissions.length < scope.length) return err(beyondRole(user.role));
  if (propertyIds !== null) {
    const own = await listProperties(deps.credentials, user.account);
    if (!propertyIds.every((property) => own.some(({ id }) => id === property)))
      return err(unknownProperties);
  }
  const properties = propertyIds && [...new Set(propertyIds)];
  const token = await makeToken(deps, user, { permissions: [...permissions], properties, name }, seconds);
  return token.ok ? ok({ token: token.value, permissions }) : err(tooManyKeys);
};

/** The account of a client id that is in force. */
const accountOf = async (credentials: Table, clientId: string): Promise<number | undefined> => {
  const client = await credentials.get(credentialKeys.client(sha256(clientId)));
  // An unknown client id costs the same reads.
  const named = client ? v.parse(clientItem, client).account : 0;
  const account = await credentials.get(credentialKeys.account(named));
  if (!account) return undefined;
  const { id, client_id } = v.parse(accountItem, account);
  return client_id === clientId ? id : undefined;
};

/** Why a login got no token. */
type LoginError = OAuthError & {
  readonly error: 'invalid_grant' | 'slow_down' | 'invalid_scope' | 'invalid_request';
};

const refusalOf = ({ wait }: LoginRefused): LoginError => (wait > 0 ? slowDown(wait) : wrong);

/** One response for every wrong credential, an unknown client id included, so that nothing can be told apart. */
const wrong: LoginError = {
  status: 400,
  error: 'invalid_grant',
  description: 'Client id, user name or password is wrong.',
};

/** RFC 6749, 5.2: a client that authenticates by a header is refused in the scheme that it used. */
const basicRefused: OAuthError = {
  status: 401,
  error: 'invalid_client',
  description: 'Send client_id in the JSON body, and no Authorization header.',
  challenge: 'Basic realm="tidemark"',
};

const slowDown = (wait: number): LoginError => ({
  status: 429,
  error: 'slow_down',
  description: 'Too many failed attempts; try again after the time in Retry-After.',
  retryAfter: wait,
});

const beyondRole = (role: Role): LoginError => ({
  status: 400,
  error: 'invalid_scope',
  description: `The role of the user is ${role}, which may do only: ${roles[role].join(' ')}.`,
});

const unknownProperties: LoginError = {
  status: 400,
  error: 'invalid_request',
  description: 'property_ids names a property that does not exist or belongs to somebody else.',
};

const tooManyKeys: LoginError = {
  status: 400,
  error: 'invalid_request',
  description: `The user has ${limits.auth.keysPerUser} keys already; end one first: DELETE /v1/me/tokens/{token_id}.`,
};
