import * as v from 'valibot';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { userHash, userItem, type User } from './credential-items.ts';

/** A user by name, with its write nonce; `undefined` when there is none. */
export const readUser = async (
  credentials: Pick<Table, 'get'>,
  username: string,
): Promise<(User & { readonly w: string }) | undefined> => {
  const stored = await credentials.get(credentialKeys.user(userHash(username)));
  return stored && { ...v.parse(userItem, stored), w: stored.w };
};
