/** SFTP login: authenticates users through the identity function, by password or public key. */
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2';
import type { Identity } from './identity.ts';

/** Asks the identity function, with or without a password. */
export type Ask = (username: string, password?: string) => Promise<Identity | undefined>;

/** Login attempts per connection, as in OpenSSH's server. */
const TRIES = 6;
const METHODS = ['publickey', 'password'] as const;

/**
 * Authenticates the users of the identity function, by password or by one of the public keys that the function answers.
 * Calls `admitted` after a successful login, and `giveUp` when the connection has used all its attempts.
 */
export const createLogin = (
  ask: Ask,
  admitted: (username: string, identity: Identity) => void,
  giveUp: () => void,
): ((context: AuthContext) => void) => {
  let left = TRIES;
  const keyOwners = new Map<string, Promise<Identity | undefined>>();
  const ownerOfKey = (username: string): Promise<Identity | undefined> => {
    const asked = keyOwners.get(username) ?? ask(username);
    keyOwners.set(username, asked);
    return asked;
  };
  const identityOf = async (context: AuthContext): Promise<Identity | undefined> => {
    // With an empty password the identity function would answer the public keys.
    if (context.method === 'password')
      return context.password === '' ? undefined : ask(context.username, context.password);
    if (context.method !== 'publickey') return undefined;
    const owner = await ownerOfKey(context.username);
    return owner && holds(owner, context) ? owner : undefined;
  };
  return (context) => {
    void identityOf(context)
      .catch(() => undefined)
      .then((identity) => {
        if (identity && isProven(context)) {
          admitted(context.username, identity);
          context.accept();
        } else if (identity) {
          context.accept();
        } else {
          if (context.method !== 'none') left -= 1;
          if (left > 0) context.reject([...METHODS]);
          else giveUp();
        }
      });
  };
};

/** A client first asks whether the server accepts a key. Only a signature proves that the client owns the key. */
const isProven = (context: AuthContext): boolean =>
  context.method !== 'publickey' || context.signature !== undefined;

const holds = ({ PublicKeys }: Identity, context: PublicKeyAuthContext): boolean => {
  const shown = context.key.data.toString('base64');
  if (!PublicKeys.some((key) => key.split(' ')[1] === shown)) return false;
  const { signature, blob, hashAlgo } = context;
  if (signature === undefined || blob === undefined) return true;
  const key = ssh2.utils.parseKey(context.key.data);
  return !(key instanceof Error) && key.verify(blob, signature, hashAlgo);
};
