/** SFTP credential: a private key or a password with which the service logs in to the server of a client. */
import { createPublicKey } from 'node:crypto';
import { err, ok, type Result } from '../runtime/result.ts';

/** The secret of a login. */
export type SftpCredential =
  | { readonly kind: 'key'; readonly privateKey: string }
  | { readonly kind: 'password'; readonly password: string };

/** Faults of a text as the private key of a client. */
export type PrivateKeyFault = 'not_a_private_key' | 'key_has_passphrase' | 'key_too_weak' | 'key_unsupported';

/** Each fault as a sentence. */
export const privateKeyDetails: Readonly<Record<PrivateKeyFault, string>> = {
  not_a_private_key:
    'Must be an SSH private key: the whole file that ssh-keygen wrote, from -----BEGIN to -----END and the line break.',
  key_has_passphrase:
    'Must have no passphrase: remove it from a copy of the key with ssh-keygen -p. The service stores the key encrypted.',
  key_too_weak: 'Must have at least 2,048 bits.',
  key_unsupported: 'Must be an Ed25519, ECDSA or RSA key.',
};

const RSA_BITS = 2_048;
const kinds = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/;

/**
 * Reads a private key without a passphrase, and returns the line of its public key for `authorized_keys`. No key is
 * derived from a passphrase: the text sets the number of rounds, so a hostile text could cost minutes.
 */
export const readPrivateKey = async (text: string): Promise<Result<string, PrivateKeyFault>> => {
  const ssh2 = await import('ssh2');
  const key = ssh2.default.utils.parseKey(text);
  if (key instanceof Error)
    return err(/passphrase/.test(key.message) ? 'key_has_passphrase' : 'not_a_private_key');
  if (!key.isPrivateKey()) return err('not_a_private_key');
  if (!kinds.test(key.type)) return err('key_unsupported');
  const bits = createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < RSA_BITS) return err('key_too_weak');
  return ok(`${key.type} ${key.getPublicSSH().toString('base64')}`);
};
