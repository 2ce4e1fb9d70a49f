import { err, ok, type Result } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import type { Refused } from './accounts.ts';
import { changeUser } from './change-user.ts';
import { sha256 } from './items.ts';
import { hashPassword, type Kdf } from './passwords.ts';

/**
 * Revokes every token of a user with one conditional write: tokens carry the epoch they were issued in. So no token
 * issued at the same moment can slip through. They die as soon as caches run out, within 30 s.
 */
export const revokeAll = async (credentials: Table, username: string): Promise<Result<'revoked', Refused>> =>
  revoked(await changeUser(credentials, username, (user) => ok({ epoch: user.epoch + 1 })));

/** Gives a user another password and revokes the tokens that the old one obtained. */
export const changePassword = async (
  credentials: Table,
  kdf: Kdf,
  { username, password }: { username: string; password: string },
): Promise<Result<'revoked', Refused>> => {
  const hash = await hashPassword(kdf, password);
  return revoked(
    await changeUser(credentials, username, (user) => ok({ password: hash, epoch: user.epoch + 1 })),
  );
};

const revoked = (changed: Result<void, Refused>): Result<'revoked', Refused> =>
  changed.ok ? ok('revoked') : changed;

/** Revokes one token. */
export const revokeToken = async (credentials: Table, token: string): Promise<Result<'revoked', Refused>> => {
  const key = credentialKeys.token(sha256(token));
  const outcome = await credentials.write({ kind: 'update', key, set: { revoked: true }, expect: {} });
  return outcome === 'applied'
    ? ok('revoked')
    : err({ code: 'unknown_token', message: 'There is no such token.' });
};
