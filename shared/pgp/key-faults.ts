import { limits } from '../config/limits.ts';

/** Faults of a text as an encryption key. */
export type PgpKeyFault =
  | 'not_a_pgp_key'
  | 'private_key'
  | 'several_keys'
  | 'key_too_large'
  | 'key_unsupported'
  | 'key_revoked'
  | 'key_expired'
  | 'key_too_weak'
  | 'key_cannot_encrypt'
  | 'key_not_valid';

const { keyBytes, keySignatures, rsaBits } = limits.pgp;
const number = (value: number): string => value.toLocaleString('en');

/** Each fault as a sentence. */
export const pgpKeyDetails: Readonly<Record<PgpKeyFault, string>> = {
  not_a_pgp_key: 'Must be one ASCII-armoured OpenPGP public key and nothing else.',
  private_key: 'Must be a public key; this is a private one, which nobody else should ever see.',
  several_keys: 'Must be one key, not several.',
  key_too_large: `The key is too large: at most ${number(keyBytes)} bytes, RSA numbers of ${number(rsaBits)} bits, and ${keySignatures} signatures of its own, one for each name and subkey. Export it with \`gpg --armor --export-options export-minimal,export-clean --export\`, or delete names and subkeys that are no longer used.`,
  key_unsupported: `The key, or a part of it, has an algorithm, a curve or a version that is not taken. Taken are versions 4 and 6 with RSA of 2,048 to ${number(rsaBits)} bits, Curve25519, Curve448 and the NIST curves.`,
  key_revoked: 'The key, or the part of it that encrypts, has been revoked.',
  key_expired: 'The key, or the part of it that encrypts, has expired.',
  key_too_weak: 'The key is too weak: RSA needs 2,048 bits.',
  key_cannot_encrypt: 'The key signs only; it has no part that encrypts.',
  key_not_valid: 'The key is not valid: it is not signed by itself, or not valid yet.',
};
