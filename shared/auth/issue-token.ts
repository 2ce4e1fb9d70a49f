import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, PublicRequest } from '../http/api-types.ts';
import { writeAnswer, type GatewayAnswer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { accountItem, clientItem, sha256, type User } from './items.ts';
import { passwordLogin } from './password-login.ts';
import type { Kdf } from './passwords.ts';
import { readUser } from './read-user.ts';
import { readTokenRequest, type Credentials, type OAuthError } from './token-request.ts';

export interface TokenDeps {
  readonly credentials: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly kdf: Kdf;
  readonly log: Log;
}

/** The token route (RFC 6749, password grant). */
export const issueToken =
  (deps: TokenDeps) =>
  async (request: PublicRequest): Promise<Result<ApiAnswer, never>> => {
    const credentials = readTokenRequest(request.headers['content-type'], request.body);
    const outcome = credentials.ok ? await tokenFor(deps, credentials.value, request.sourceIp) : credentials;
    if (outcome.ok) return ok({ status: 200, body: outcome.value });
    deps.log('login.refused', { request_id: request.requestId, outcome: outcome.error.error });
    return ok(answerOf(outcome.error));
  };

const tokenFor = async (
  deps: TokenDeps,
  { clientId, username, password }: Credentials,
  sourceIp: string,
): Promise<Result<Readonly<Record<string, unknown>>, OAuthError>> => {
  const account = await accountOf(deps.credentials, clientId);
  if (account === undefined)
    return err({ status: 401, error: 'invalid_client', description: 'The client is not known.' });
  const source = { client: clientId, username, sourceIp };
  const login = await passwordLogin(deps, source, password, () =>
    userOf(deps.credentials, account, username),
  );
  if (login.ok) return ok(await makeToken(deps, login.value));
  const { wait } = login.error;
  if (wait > 0) return err(slowDown(wait));
  return err({ status: 400, error: 'invalid_grant', description: 'User name or password is wrong.' });
};

/** The account of a client id that is in force. */
const accountOf = async (credentials: Table, clientId: string): Promise<number | undefined> => {
  const client = await credentials.get(credentialKeys.client(sha256(clientId)));
  if (!client) return undefined;
  const account = await credentials.get(credentialKeys.account(v.parse(clientItem, client).account));
  if (!account) return undefined;
  const { id, client_id } = v.parse(accountItem, account);
  return client_id === clientId ? id : undefined;
};

const userOf = async (credentials: Table, account: number, username: string): Promise<User | undefined> => {
  const user = await readUser(credentials, username);
  return user?.account === account ? user : undefined;
};

/** A token of 256 random bits, of which only the SHA-256 is stored. */
const makeToken = async (
  { credentials, clock, ids }: TokenDeps,
  user: User,
): Promise<Readonly<Record<string, unknown>>> => {
  const token = ids.hex(32);
  const expires = clock() + limits.auth.tokenSeconds * 1000;
  const set = {
    user: sha256(user.username),
    epoch: user.epoch,
    expires,
    revoked: false,
    ttl: Math.ceil(expires / 1000),
  };
  const outcome = await credentials.write({ kind: 'insert', key: credentialKeys.token(sha256(token)), set });
  if (outcome === 'refused') throw new Error('tokens: a random token was taken');
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: limits.auth.tokenSeconds,
    session_id: null,
  };
};

const slowDown = (wait: number): OAuthError => ({
  status: 429,
  error: 'slow_down',
  description: 'Too many failed attempts; try again after the time in Retry-After.',
  retryAfter: wait,
});

const answerOf = ({ status, error, description, retryAfter }: OAuthError): ApiAnswer => ({
  status,
  body: { error, error_description: description },
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
});

const errorOfStatus = (status: number): OAuthError['error'] =>
  status >= 500 ? (status === 503 ? 'temporarily_unavailable' : 'server_error') : 'invalid_request';

/** Writes the wrapper's own problems in the form of RFC 6749. */
export const writeOAuthProblem = (requestId: string, { status, detail, headers }: Problem): GatewayAnswer => {
  const { body } = answerOf({ status, error: errorOfStatus(status), description: detail });
  return writeAnswer(requestId, { status, body, ...(headers ? { headers } : {}) });
};
