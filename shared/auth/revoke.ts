import * as v from 'valibot';
import { err, ok, type Result } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Refused } from './accounts.ts';
import { sha256, userItem } from './items.ts';
import { hashPassword, type Kdf } from './passwords.ts';

/** Tries of an optimistic write; each lost one means that another operator won. */
const TRIES = 5;

/**
 * Revokes every token of a user with one conditional write: tokens carry the epoch they were issued in. So no token
 * issued at the same moment can slip through. They die as soon as caches run out, within 30 s.
 */
export const revokeAll = async (table: Table, username: string): Promise<Result<'revoked', Refused>> =>
  changeUser(table, username, (user) => ({ epoch: user.epoch + 1 }));

/** Gives a user another password and revokes the tokens that the old one obtained. */
export const changePassword = async (
  table: Table,
  kdf: Kdf,
  { username, password }: { username: string; password: string },
): Promise<Result<'revoked', Refused>> => {
  const hash = await hashPassword(kdf, password);
  return changeUser(table, username, (user) => ({ password: hash, epoch: user.epoch + 1 }));
};

const changeUser = async (
  table: Table,
  username: string,
  change: (user: v.InferOutput<typeof userItem>) => Readonly<Record<string, string | number>>,
): Promise<Result<'revoked', Refused>> => {
  const key = keys.user(sha256(username));
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const stored = await table.get(key);
    if (!stored) return err({ code: 'unknown_user', message: 'There is no such user.' });
    const set = change(v.parse(userItem, stored));
    const outcome = await table.write({ kind: 'update', key, set, expect: { w: stored.w } });
    if (outcome === 'applied') return ok('revoked');
  }
  throw new Error('users: an item kept changing');
};

/** Revokes one token. */
export const revokeToken = async (table: Table, token: string): Promise<Result<'revoked', Refused>> => {
  const key = keys.token(sha256(token));
  const outcome = await table.write({ kind: 'update', key, set: { revoked: true }, expect: {} });
  return outcome === 'applied'
    ? ok('revoked')
    : err({ code: 'unknown_token', message: 'There is no such token.' });
};
