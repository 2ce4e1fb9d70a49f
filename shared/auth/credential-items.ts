/** Credential items: the stored shapes of accounts, owned properties, users, client ids and tokens. */
import * as v from 'valibot';
import { allPermissions, permissionSchema, roleSchema } from '../http/permissions.ts';
import { sha256 } from '../runtime/hash.ts';

/**
 * SHA-256 of a user name. Names that differ only in the case of ASCII letters are the same name, so that nobody
 * can impersonate a user by case; no other letters occur in a name.
 */
export const userHash = (username: string): string =>
  sha256(username.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));

const id = v.pipe(v.number(), v.safeInteger());

/** An item of a kind that release 0.2.0 stored without a version. */
const earlierVersion = v.object({ version: v.optional(v.undefined()) });

/** The version of the items of users and tokens that have roles and grants. */
export const grantVersion = 2;
const version = v.literal(grantVersion);

/**
 * An account. `client_id` is its only client id, once it has one. `requests_per_second` is its rate where an operator has
 * set one.
 */
export const accountItem = v.object({
  id,
  name: v.string(),
  created: v.number(),
  client_id: v.optional(v.string()),
  requests_per_second: v.optional(v.nullable(v.number())),
});
export type Account = v.InferOutput<typeof accountItem>;

/**
 * Progress of the deletion of a property; times in epoch milliseconds. A pass scans the whole table, removes
 * the items of the property, and then empties its folders.
 */
export const deletionItem = v.object({
  /** Name of the table of data that the passes scan. A restored table has another name, and needs other passes. */
  table: v.string(),
  /** Phase of the pass; `rest` between two passes. */
  phase: v.picklist(['items', 'objects', 'rest']),
  /** Position of the pass in the table. */
  after: v.nullable(v.object({ pk: v.string(), sk: v.string() })),
  /** Start of the pass. */
  began: v.number(),
  /** Number of items and objects that the pass has found. */
  found: v.number(),
  /** A pass that starts at or after this time and finds nothing ends the deletion. */
  last_from: v.number(),
  /** Items and objects removed in all. */
  items: v.number(),
  objects: v.number(),
});
export type Deletion = v.InferOutput<typeof deletionItem>;

/**
 * A property in the table of credentials, with its account. Requests reach a property only through this item,
 * and no longer once it has a deletion.
 */
export const ownedPropertyItem = v.object({
  account: id,
  name: v.string(),
  deletion: v.optional(deletionItem),
  /** Until this time a call works on the deletion, and no other call may. */
  busy_until: v.number(),
});

/** A user in the list of its account. */
export const accountUserItem = v.object({ username: v.string() });

/** A public key of a user, as stored. */
export const sshKeyItem = v.object({
  /** Type and base64, as in `authorized_keys`, without comment. */
  key: v.string(),
  /** As `ssh-keygen -l` prints it: `SHA256:…`. */
  fingerprint: v.string(),
  comment: v.string(),
  /** Time of its addition, in epoch milliseconds. */
  added: v.number(),
});
export type SshKey = Readonly<v.InferOutput<typeof sshKeyItem>>;

const userEntries = {
  id,
  account: id,
  username: v.string(),
  email: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  password: v.string(),
  epoch: v.string(),
  /** A disabled user cannot sign in. */
  disabled: v.boolean(),
  /** Keys for logins over SFTP. */
  ssh_keys: v.array(sshKeyItem),
};

/** A user as release 0.2.0 stored it. */
const earlierUser = v.object(userEntries);

/**
 * An API user. `password` is a scrypt string. Tokens carry the `epoch`, a random text, of their user: a new
 * epoch revokes all of them with one write. A user created later under the same name has another epoch too.
 */
export const userItem = v.object({ version, ...userEntries, role: roleSchema });
export type StoredUser = v.InferOutput<typeof userItem>;
export type User = Omit<StoredUser, 'version'>;

/** The user in a stored item. A user of release 0.2.0 may do everything. Throws for another item. */
export const userFrom = (stored: unknown): User =>
  v.is(earlierVersion, stored)
    ? { ...v.parse(earlierUser, stored), role: 'owner' }
    : v.parse(userItem, stored);

/** The account of a client id. The client id works only while the account names it. */
export const clientItem = v.object({ account: id });

const tokenEntries = {
  /** Hash of the user's name. */
  user: v.string(),
  /** Account of the user, so that both are read at once. */
  account: id,
  epoch: v.string(),
  created: v.number(),
  expires: v.number(),
};

/** A token as release 0.2.0 stored it. */
const earlierToken = v.object(tokenEntries);

/** What a token was given when it was made. */
const grantEntries = {
  /** What the token may do, as far as the role of its user allows it. */
  permissions: v.array(permissionSchema),
  /** The properties that the token reaches; null for all of the account, also later ones. */
  properties: v.nullable(v.array(id)),
  /** The name of a key; null for the token of a sign-in. */
  name: v.nullable(v.string()),
};
export type Grant = v.InferOutput<v.ObjectSchema<typeof grantEntries, undefined>>;

/** An access token, found by its hash. Times in epoch milliseconds. */
export const tokenItem = v.object({ version, ...tokenEntries, ...grantEntries });
export type StoredToken = v.InferOutput<typeof tokenItem>;
export type Token = Omit<StoredToken, 'version'>;

/** The token in a stored item. A token of release 0.2.0 may do everything that its user may. Throws for another item. */
export const tokenFrom = (stored: unknown): Token =>
  v.is(earlierVersion, stored)
    ? {
        ...v.parse(earlierToken, stored),
        ...{ permissions: [...allPermissions], properties: null, name: null },
      }
    : v.parse(tokenItem, stored);

/**
 * The epoch that a token carries. Release 0.2.0 takes every token for one that may do everything, and it may run beside
 * this code, or again after it. It refuses a narrower token, because the epoch of one is not that of the user.
 */
export const epochOf = ({ permissions, properties }: Grant, user: Pick<User, 'epoch'>): string =>
  properties === null && permissions.length === allPermissions.length ? user.epoch : narrowEpoch(user);

const narrowEpoch = ({ epoch }: Pick<User, 'epoch'>): string => `narrow ${epoch}`;

/**
 * Whether no operator has revoked a token since it was made. Both epochs do, whatever the token may do: a release with one
 * more permission would otherwise refuse the tokens that had them all.
 */
export const isInForce = (token: Token, user: User): boolean =>
  token.epoch === user.epoch || token.epoch === narrowEpoch(user);

/** A token in the list of its user, as release 0.2.0 stored it. */
const earlierUserToken = v.object({ token: v.string() });

/** A token in the list of its user. */
export const userTokenItem = v.object({
  version,
  token: v.string(),
  /** Whether it is a key. */
  is_key: v.boolean(),
});
export type StoredUserToken = v.InferOutput<typeof userTokenItem>;

/** The entry of a list of tokens in a stored item. Release 0.2.0 has no keys. Throws for another item. */
export const userTokenFrom = (stored: unknown): Omit<StoredUserToken, 'version'> =>
  v.is(earlierVersion, stored)
    ? { ...v.parse(earlierUserToken, stored), is_key: false }
    : v.parse(userTokenItem, stored);
