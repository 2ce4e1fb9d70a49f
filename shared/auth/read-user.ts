import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { sha256, userItem, type User } from './items.ts';

/** A user by name, with its write nonce; `undefined` when there is none. */
export const readUser = async (
  table: Pick<Table, 'get'>,
  username: string,
): Promise<(User & { readonly w: string }) | undefined> => {
  const stored = await table.get(keys.user(sha256(username)));
  return stored && { ...v.parse(userItem, stored), w: stored.w };
};
