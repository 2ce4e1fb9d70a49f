import type { Key, PublicKey } from 'openpgp';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';

/** Why a text cannot be encrypted to. */
export type PgpKeyFault =
  | 'not_a_pgp_key'
  | 'private_key'
  | 'several_keys'
  | 'key_revoked'
  | 'key_expired'
  | 'key_too_weak'
  | 'key_cannot_encrypt'
  | 'key_not_valid';

/** Each of these as a sentence. */
export const pgpKeyDetails: Readonly<Record<PgpKeyFault, string>> = {
  not_a_pgp_key: 'Must be one ASCII-armoured OpenPGP public key and nothing else.',
  private_key: 'Must be a public key; this is a private one, which nobody else should ever see.',
  several_keys: 'Must be one key, not several.',
  key_revoked: 'The key, or the part of it that encrypts, has been revoked.',
  key_expired: 'The key, or the part of it that encrypts, has expired.',
  key_too_weak: 'The key is too weak: RSA needs 2,048 bits; DSA, ElGamal and secp256k1 are not taken.',
  key_cannot_encrypt: 'The key signs only; it has no part that encrypts.',
  key_not_valid: 'The key is not valid: it is not signed by itself, or not valid yet.',
};

/** A key that was checked: the only thing that `encryptTo` takes. */
class CheckedRecipient {
  readonly #key: PublicKey;
  /** Time for which it was checked. */
  readonly date: Date;
  constructor(key: PublicKey, date: Date) {
    this.#key = key;
    this.date = date;
  }
  get key(): PublicKey {
    return this.#key;
  }
}
export type Recipient = CheckedRecipient;

/**
 * Reads a public key and checks that one can encrypt to it at a time (epoch milliseconds). The library takes private keys
 * for recipients and uses the first of several, so there must be exactly one block, with one public key.
 */
export const readRecipient = async (
  armored: string,
  now: number,
): Promise<Result<Recipient, PgpKeyFault>> => {
  const fault = blockFault(armored);
  if (fault !== undefined) return err(fault);
  const keys = await parse(armored);
  const [key] = keys;
  if (key === undefined) return err('not_a_pgp_key');
  if (keys.length > 1) return err('several_keys');
  if (key.isPrivate()) return err('private_key');
  const date = new Date(now);
  const unusable = await faultOf(key, date);
  return unusable === undefined ? ok(new CheckedRecipient(key.toPublic(), date)) : err(unusable);
};

const begin = /-----BEGIN PGP ([A-Z ]+)-----/g;
const oneBlock = /^\s*-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[^]*\n-----END PGP PUBLIC KEY BLOCK-----\s*$/;

const blockFault = (armored: string): PgpKeyFault | undefined => {
  const kinds = [...armored.matchAll(begin)].map(([, kind]) => kind);
  if (kinds.some((kind) => kind?.startsWith('PRIVATE KEY'))) return 'private_key';
  if (kinds.length > 1) return 'several_keys';
  return oneBlock.test(armored) ? undefined : 'not_a_pgp_key';
};

/** The library is loaded by whoever meets a key: it is half of a bundle. */
const library = () => import('openpgp');

const parse = async (armoredKeys: string): Promise<readonly Key[]> => {
  const { readKeys } = await library();
  try {
    return await readKeys({ armoredKeys });
  } catch {
    return [];
  }
};

const faultOf = async (key: Key, date: Date): Promise<PgpKeyFault | undefined> => {
  if (await key.isRevoked(undefined, undefined, date)) return 'key_revoked';
  try {
    await key.getEncryptionKey(undefined, date);
    return undefined;
  } catch (error) {
    return meaningOf(error instanceof Error ? error.message : '');
  }
};

/** The library tells its reasons in words only; its version is pinned, and a test holds each of them. */
const meanings: readonly (readonly [RegExp, PgpKeyFault])[] = [
  [/considered too weak|using curve/i, 'key_too_weak'],
  [/revoked/i, 'key_revoked'],
  [/expired/i, 'key_expired'],
  [/valid encryption key packet in key \w+$/i, 'key_cannot_encrypt'],
];

const meaningOf = (message: string): PgpKeyFault =>
  meanings.find(([pattern]) => pattern.test(message))?.[1] ?? 'key_not_valid';
