/** SFTP login: authenticates users through the identity function, by password or public key. */
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2';
import type { Identity } from './identity.ts';
import type { Proof } from './log-lines.ts';

/** Asks the identity function, with or without a password. */
export type Ask = (username: string, password?: string) => Promise<Identity | undefined>;

/** What becomes of the logins of a connection. */
interface LoginOutcomes {
  /** After a successful login. */
  readonly admitted: (username: string, identity: Identity, proof: Proof) => void;
  /** After each refused login. */
  readonly refused: (username: string, method: Proof['method']) => void;
  /** The connection has used all its attempts. */
  readonly giveUp: () => void;
}

/** Login attempts per connection, as in OpenSSH's server. */
const TRIES = 6;
const METHODS = ['publickey', 'password'] as const;

/**
 * Authenticates the users of the identity function, by password or by one of the public keys that the function answers.
 */
export const createLogin = (
  ask: Ask,
  { admitted, refused, giveUp }: LoginOutcomes,
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
        const { username, method } = context;
        const proof = proofOf(context);
        if (identity && proof) {
          admitted(username, identity, proof);
          context.accept();
        } else if (identity) {
          context.accept();
        } else {
          if (method !== 'none') left -= 1;
          if (method === 'password' || method === 'publickey') refused(username, method);
          if (left > 0) context.reject([...METHODS]);
          else giveUp();
        }
      });
  };
};

/** A client first asks whether the server accepts a key. Only a signature proves that the client owns the key. */
const proofOf = (context: AuthContext): Proof | undefined => {
  if (context.method !== 'publickey') return { method: 'password' };
  const { signature, key } = context;
  return signature && { method: 'publickey', key: key.data, type: key.algo };
};

const holds = ({ PublicKeys }: Identity, context: PublicKeyAuthContext): boolean => {
  const shown = context.key.data.toString('base64');
  if (!PublicKeys.some((key) => key.split(' ')[1] === shown)) return false;
  const { signature, blob, hashAlgo } = context;
  if (signature === undefined || blob === undefined) return true;
  const key = ssh2.utils.parseKey(context.key.data);
  return !(key instanceof Error) && key.verify(blob, signature, hashAlgo);
};
