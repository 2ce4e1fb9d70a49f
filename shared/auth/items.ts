import { hash } from 'node:crypto';
import * as v from 'valibot';
import { sshKeyItem } from './ssh-keys.ts';

/** SHA-256 in hex: how user text (user names, client ids, tokens) enters a key. */
export const sha256 = (text: string): string => hash('sha256', text);

const id = v.pipe(v.number(), v.safeInteger());

/** An account. `client_id` is its one client id, once it has one. */
export const accountItem = v.object({
  id,
  name: v.string(),
  created: v.number(),
  client_id: v.optional(v.string()),
});
export type Account = v.InferOutput<typeof accountItem>;

/** A property in the table of data: when it was made, and its master key, wrapped by KMS. */
export const propertyItem = v.object({ created: v.number(), wrappedKey: v.instance(Uint8Array) });

/** A property in the table of credentials: whose it is. Requests reach a property through this item alone. */
export const ownedPropertyItem = v.object({ account: id, name: v.string() });

/** A property in the list of its account, and in that of all. */
export const listedPropertyItem = v.object({ property: id });

/** A user in the list of its account. */
export const accountUserItem = v.object({ username: v.string() });

/**
 * An API user. `password` is a scrypt string. Tokens carry the `epoch` they were issued in: raising it revokes all of
 * them with one write.
 */
export const userItem = v.object({
  id,
  account: id,
  username: v.string(),
  email: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  password: v.string(),
  epoch: v.number(),
  /** Keys it may log in with over SFTP; users of before there were keys have none. */
  ssh_keys: v.optional(v.array(sshKeyItem), []),
});
export type User = v.InferOutput<typeof userItem>;

/** A client id's account. It counts only while the account names it. */
export const clientItem = v.object({ account: id });

/** An access token, found by its hash. Times in epoch milliseconds. */
export const tokenItem = v.object({
  /** SHA-256 of the user name. */
  user: v.string(),
  epoch: v.number(),
  expires: v.number(),
  revoked: v.optional(v.boolean(), false),
});
