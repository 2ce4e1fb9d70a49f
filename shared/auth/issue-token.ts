/** Token route: issues access tokens by the password grant of OAuth 2.0 (RFC 6749). */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import { writeAnswer, type GatewayAnswer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import { tokenMark, type AuditTrail } from '../audit/audit-trail.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { accountItem, clientItem, type User } from './credential-items.ts';
import { sha256 } from '../runtime/hash.ts';
import { networkOf } from './login-failures.ts';
import { passwordLogin } from './password-login.ts';
import type { Kdf } from './passwords.ts';
import { recordLogin } from './record-login.ts';
import { readUser } from './change-user.ts';
import { makeToken } from './tokens.ts';
import { readTokenRequest, type Credentials, type OAuthError } from './token-request.ts';

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
  const credentials = /^basic\b/i.test(request.headers['authorization'] ?? '')
    ? err(basicRefused)
    : readTokenRequest(request.headers['content-type'], request.body);
  if (credentials.ok) {
    const outcome = await tokenFor(deps, credentials.value, request);
    return ok(outcome.ok ? { status: 200, body: outcome.value } : answerOf(outcome.error));
  }
  const facts = { request_id: request.requestId, source: networkOf(request.sourceIp) };
  deps.log('login.refused', { ...facts, outcome: credentials.error.error });
  return ok(answerOf(credentials.error));
};

const tokenFor = async (
  deps: TokenDeps,
  { clientId, username, password }: Credentials,
  { sourceIp, requestId }: PublicRequest,
): Promise<Result<Readonly<Record<string, unknown>>, OAuthError>> => {
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
  const token = login.ok ? await makeToken(deps, login.value) : undefined;
  await recordLogin(deps, {
    way: 'sign-in',
    user: known,
    sourceIp,
    requestId,
    outcome: loginOutcome(login),
    ...(token !== undefined && { token: tokenMark(token) }),
  });
  if (login.ok) {
    return ok({
      access_token: token,
      token_type: 'Bearer',
      expires_in: limits.auth.tokenSeconds,
      session_id: null,
    });
  }
  const { wait } = login.error;
  return err(wait > 0 ? slowDown(wait) : wrong);
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

/** One response for every wrong credential, an unknown client id included, so that nothing can be told apart. */
const wrong: OAuthError = {
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

const slowDown = (wait: number): OAuthError => ({
  status: 429,
  error: 'slow_down',
  description: 'Too many failed attempts; try again after the time in Retry-After.',
  retryAfter: wait,
});

const answerOf = ({ status, error, description, retryAfter, challenge }: OAuthError): ApiAnswer => ({
  status,
  body: { error, error_description: description },
  headers: {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  },
});

/** The outcome of a sign-in for the audit log. */
const loginOutcome = (
  login: Result<unknown, { readonly wait: number }>,
): 'admitted' | 'slow_down' | 'invalid_grant' => {
  if (login.ok) return 'admitted';
  return login.error.wait > 0 ? 'slow_down' : 'invalid_grant';
};

const errorOfStatus = (status: number): OAuthError['error'] => {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
};

/** Writes the wrapper's own problems in the form of RFC 6749. */
export const writeOAuthProblem = (requestId: string, { status, detail, headers }: Problem): GatewayAnswer => {
  const { body } = answerOf({ status, error: errorOfStatus(status), description: detail });
  return writeAnswer(requestId, { status, body, ...(headers ? { headers } : {}) });
};
