import type { Key, PublicKey } from 'openpgp';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';
import type { PgpKeyFault } from './key-faults.ts';
import { packetFault } from './packets.ts';

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
 * for recipients and uses the first of several, so there must be exactly one block, with one public key. The packets are
 * judged before the library computes anything with their numbers.
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
  const fault = packetFault(bytes);
  if (fault !== undefined) return err(fault);
  const key = await parse(bytes);
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

/** The library is half of a bundle, so it is loaded when the first key comes. */
const library = () => import('openpgp');

/** The library's type of the data is one that TypeScript does not find. */
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

/** The library tells its reasons in words only; its version is pinned, and a test holds each of them. */
const meanings: readonly (readonly [RegExp, PgpKeyFault])[] = [
  [/considered too weak/i, 'key_too_weak'],
  [/revoked/i, 'key_revoked'],
  [/expired/i, 'key_expired'],
  [/valid encryption key packet in key \w+$/i, 'key_cannot_encrypt'],
];

const meaningOf = (message: string): PgpKeyFault =>
  meanings.find(([pattern]) => pattern.test(message))?.[1] ?? 'key_not_valid';
