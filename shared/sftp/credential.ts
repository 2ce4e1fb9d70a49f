/** SFTP credential: the secrets with which the service logs in to the server of a client. */
import { err, ok, type Result } from '../runtime/result.ts';

/** The secrets of a login: a private key, a password, or both for a server that wants both. */
export type SftpCredential =
  | { readonly privateKey: string; readonly password?: string | undefined }
  | { readonly privateKey?: undefined; readonly password: string };

/** Faults of a text as the private key of a client. */
export type PrivateKeyFault = 'not_a_private_key' | 'key_has_passphrase' | 'key_too_weak' | 'key_unsupported';

/** Each fault as a sentence. */
export const privateKeyDetails: Readonly<Record<PrivateKeyFault, string>> = {
  not_a_private_key:
    'Must be a private key as OpenSSH writes it, with its first and last line; ssh-keygen -p -f FILE converts other forms.',
  key_has_passphrase:
    'Must have no passphrase: remove it from a copy with ssh-keygen -p -f FILE. The service encrypts the key.',
  key_too_weak: 'Must have at least 2,048 bits.',
  key_unsupported: 'Must be an Ed25519, ECDSA or RSA key.',
};

const RSA_BITS = 2_048;
const form = /^-----BEGIN OPENSSH PRIVATE KEY-----\s([A-Za-z\d+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const MAGIC = 'openssh-key-v1\0';
const kinds = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/;

/** Reads the fields of a key: texts behind their length in 32 bits. Behind the end, fields are empty. */
const fieldsFrom = (bytes: Buffer, from: number) => {
  let at = from;
  const number = (): number => {
    const value = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
    at += 4;
    return value;
  };
  const text = (): Buffer => {
    const length = number();
    const field = bytes.subarray(at, at + length);
    at += length;
    return field;
  };
  return { number, text };
};

/**
 * Reads a private key in OpenSSH's format (PROTOCOL.key of OpenSSH), and returns the line of its public key for
 * `authorized_keys`. A key with a passphrase is refused unread: the text sets the number of rounds of its key derivation,
 * so a hostile text could cost minutes.
 */
export const readPrivateKey = (text: string): Result<string, PrivateKeyFault> => {
  const bytes = Buffer.from(form.exec(text)?.[1] ?? '', 'base64');
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return err('not_a_private_key');
  const file = fieldsFrom(bytes, MAGIC.length);
  const cipher = file.text().toString('latin1');
  file.text();
  file.text();
  const keys = file.number();
  const blob = file.text();
  if (keys !== 1 || blob.length === 0) return err('not_a_private_key');
  if (cipher !== 'none') return err('key_has_passphrase');
  const secret = fieldsFrom(file.text(), 0);
  if (secret.number() !== secret.number()) return err('not_a_private_key');
  const own = fieldsFrom(blob, 0);
  const kind = own.text().toString('latin1');
  if (secret.text().toString('latin1') !== kind) return err('not_a_private_key');
  if (!kinds.test(kind)) return err('key_unsupported');
  own.text();
  // The modulus has a zero byte in front of its highest bit.
  if (kind === 'ssh-rsa' && (own.text().length - 1) * 8 < RSA_BITS) return err('key_too_weak');
  return ok(`${kind} ${blob.toString('base64')}`);
};
