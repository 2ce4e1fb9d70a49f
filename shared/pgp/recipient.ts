/** PGP recipient: reads the public key of a client and decides whether files can be encrypted to it. */
import type { Key, PublicKey } from 'openpgp';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { PgpKeyFault } from './key-faults.ts';
import { checkPackets } from './packets.ts';

/** A checked key: `beginMessage` accepts nothing else. */
class CheckedRecipient {
  readonly #key: PublicKey;
  /** The time for which the key was checked. */
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
 * Reads a public key and checks that it can encrypt at a time (epoch milliseconds). The library accepts private keys as
 * recipients and uses the first of several keys, so the text must have exactly one block with one public key. The
 * packets are checked before the library computes with their numbers.
 */
export const readRecipient = async (
  armored: string,
  now: number,
): Promise<Result<Recipient, PgpKeyFault>> => {
  if (armored.length > limits.pgp.keyLength) return err('key_too_large');
  const unfit = blockFault(armored);
  if (unfit !== undefined) return err(unfit);
  const bytes = await unarmored(armored);
  if (!bytes) return err('not_a_pgp_key');
  const checked = checkPackets(bytes);
  if (!checked.ok) return checked;
  const key = await parse(checked.value);
  if (key === undefined) return err('not_a_pgp_key');
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

/** The library is half of a bundle, so it is loaded with the first key. */
const library = () => import('openpgp');

/** TypeScript does not find the library's type of the data. */
const unarmoredBlock = v.object({ data: v.instance(Uint8Array) });

const unarmored = async (armored: string): Promise<Uint8Array | undefined> => {
  const { unarmor } = await library();
  try {
    const block: unknown = await unarmor(armored);
    return v.is(unarmoredBlock, block) ? block.data : undefined;
  } catch {
    return undefined;
  }
};

const parse = async (binaryKey: Uint8Array): Promise<Key | undefined> => {
  const { readKey } = await library();
  try {
    return await readKey({ binaryKey });
  } catch {
    return undefined;
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

/** The library gives its reasons only as text. Its version is pinned, and a test covers each reason. */
const meanings: readonly (readonly [RegExp, PgpKeyFault])[] = [
  [/considered too weak/i, 'key_too_weak'],
  [/revoked/i, 'key_revoked'],
  [/expired/i, 'key_expired'],
  [/valid encryption key packet in key \w+$/i, 'key_cannot_encrypt'],
];

const meaningOf = (message: string): PgpKeyFault =>
  meanings.find(([pattern]) => pattern.test(message))?.[1] ?? 'key_not_valid';
