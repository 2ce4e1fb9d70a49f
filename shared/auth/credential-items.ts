import { hash } from 'node:crypto';
import * as v from 'valibot';
import { sshKeyItem } from './ssh-keys.ts';

/** SHA-256 in hex: how user text (user names, client ids, tokens) enters a key. */
export const sha256 = (text: string): string => hash('sha256', text);

/**
 * SHA-256 of a user name. Names that differ in the case of ASCII letters alone are one name, so that nobody is taken for
 * somebody else; no other letter occurs in a name.
 */
export const userHash = (username: string): string =>
  sha256(username.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));

const id = v.pipe(v.number(), v.safeInteger());

/** An account. `client_id` is its one client id, once it has one. */
export const accountItem = v.object({
  id,
  name: v.string(),
  created: v.number(),
  client_id: v.optional(v.string()),
});
export type Account = v.InferOutput<typeof accountItem>;

/**
 * How far the deletion of a property is; times in epoch milliseconds. A pass reads the whole table and removes what it finds of
 * the property, then empties its folders.
 */
export const deletionItem = v.object({
  /** What the pass does; `rest` between two passes. */
  phase: v.picklist(['items', 'objects', 'rest']),
  /** Where the pass goes on in the table. */
  after: v.nullable(v.object({ pk: v.string(), sk: v.string() })),
  /** When the pass began. */
  began: v.number(),
  /** Things that the pass has found. */
  found: v.number(),
  /** A pass that begins from then on and finds nothing is the last one. */
  last_from: v.number(),
  /** Items and objects removed in all. */
  items: v.number(),
  objects: v.number(),
});
export type Deletion = v.InferOutput<typeof deletionItem>;

/**
 * A property in the table of credentials: whose it is. Requests reach a property through this item alone, and no more once it
 * has a deletion.
 */
export const ownedPropertyItem = v.object({
  account: id,
  name: v.string(),
  deletion: v.optional(deletionItem),
  /** Until then a call works on the deletion, and no other one may. */
  busy_until: v.optional(v.number(), 0),
});

/** A user in the list of its account. */
export const accountUserItem = v.object({ username: v.string() });

/**
 * An API user. `password` is a scrypt string. Tokens carry the `epoch` they were issued in, a random text: another epoch
 * revokes all of them with one write. A user made later under the same name has another epoch too.
 */
export const userItem = v.object({
  id,
  account: id,
  username: v.string(),
  email: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  password: v.string(),
  epoch: v.string(),
  /** Nobody signs in as a disabled user. */
  disabled: v.optional(v.boolean(), false),
  /** Keys it may log in with over SFTP. */
  ssh_keys: v.optional(v.array(sshKeyItem), []),
});
export type User = v.InferOutput<typeof userItem>;

/** A client id's account. It counts only while the account names it. */
export const clientItem = v.object({ account: id });

/** An access token, found by its hash. Times in epoch milliseconds. */
export const tokenItem = v.object({
  /** Hash of the user's name. */
  user: v.string(),
  epoch: v.string(),
  created: v.number(),
  expires: v.number(),
});
export type Token = v.InferOutput<typeof tokenItem>;

/** A token in the list of its user. */
export const userTokenItem = v.object({ token: v.string() });
