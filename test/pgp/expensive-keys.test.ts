import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignaturePacket } from 'openpgp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PgpKeyFault } from '../../shared/pgp/key-faults.ts';
import { readRecipient } from '../../shared/pgp/recipient.ts';
import {
  block,
  certified,
  created,
  dsaKey,
  keyBody,
  mpi,
  name,
  packet,
} from '../support/crafted-pgp-keys.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

/** Keys made by GnuPG; the folder names the expected result. */
const gnupgKeys = (folder: string): readonly (readonly [name: string, text: string])[] => {
  const at = join(import.meta.dirname, 'keys', folder);
  return readdirSync(at).map((name) => [name, readFileSync(join(at, name), 'utf8')]);
};

/** Counts the verified signatures: they make up the whole cost of a key. */
const verified = vi.spyOn(SignaturePacket.prototype, 'verify');
afterEach(() => void verified.mockClear());

const rsa = (modulus: number, exponent: number): string =>
  certified(keyBody(1, mpi(modulus), mpi(exponent)), mpi(modulus));

const manyNames = async (count: number, type: 'curve448' | 'curve25519' = 'curve448'): Promise<string> =>
  publicText(
    await newPgpKey({
      type,
      userIDs: Array.from({ length: count }, (_, index) => ({ name: `name ${index}` })),
    }),
  );

const expensive: readonly (readonly [
  title: string,
  fault: PgpKeyFault,
  make: () => string | Promise<string>,
])[] = [
  ['DSA numbers of 5,000 bits', 'key_unsupported', () => dsaKey(5_000)],
  ['DSA numbers of 14,000 bits', 'key_unsupported', () => dsaKey(14_000)],
  ['ElGamal numbers', 'key_unsupported', () => certified(keyBody(16, mpi(9_000), mpi(9_000), mpi(9_000)))],
  ['an RSA modulus of 8,193 bits', 'key_too_large', () => rsa(8_193, 17)],
  ['an RSA exponent of 8,192 bits', 'key_too_large', () => rsa(8_192, 8_192)],
  ['an algorithm that nobody knows', 'key_unsupported', () => certified(keyBody(99, mpi(256)))],
  [
    'a curve that nobody knows',
    'key_unsupported',
    () => certified(keyBody(19, Buffer.of(2, 1, 2), mpi(256))),
  ],
  [
    'version 3',
    'key_unsupported',
    () => block(packet(6, Buffer.of(3, ...created, 0, 0, 1), mpi(2_048), mpi(17))),
  ],
  [
    'version 5',
    'key_unsupported',
    () => block(packet(6, Buffer.of(5, ...created, 27, 0, 0, 0, 32), Buffer.alloc(32))),
  ],
  ['a number cut off', 'not_a_pgp_key', () => block(packet(6, keyBody(1, Buffer.of(8, 0))), name)],
  [
    'a packet cut off',
    'not_a_pgp_key',
    () => block(packet(6, keyBody(1, mpi(2_048), mpi(17))).subarray(0, 100)),
  ],
  ['31 names, each with its signature', 'key_too_large', () => manyNames(31, 'curve25519')],
  [
    'a picture of 64 KB',
    'key_too_large',
    () => block(packet(6, keyBody(1, mpi(2_048), mpi(17))), packet(17, Buffer.alloc(64_000))),
  ],
  ['2,000 names', 'key_too_large', () => withNames(2_000)],
];

/** Names without certificates: as large as such a key, and made at once. */
const withNames = (names: number): string =>
  block(packet(6, keyBody(27, Buffer.alloc(32))), ...Array.from({ length: names }, () => name));

describe('a PGP key that would be expensive to verify', () => {
  it.each(expensive)('is refused before any signature is verified: %s', async (_, fault, make) => {
    const text = await make();
    verified.mockClear();
    expect(await readRecipient(text, now)).toEqual({ ok: false, error: fault });
    expect(verified).not.toHaveBeenCalled();
  });

  it.each(gnupgKeys('unsupported'))('is refused with its true reason: %s', async (_, text) => {
    expect(await readRecipient(text, now)).toEqual({ ok: false, error: 'key_unsupported' });
    expect(verified).not.toHaveBeenCalled();
  });
});

describe('a PGP key that is taken', () => {
  it.each(gnupgKeys('taken'))('may be of GnuPG: %s', async (_, text) => {
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
  });

  it.each([{ type: 'curve448' }, { type: 'curve25519', config: { v6Keys: true } }] as const)(
    'may be of the newer standard: %o',
    async (options) => {
      expect(await readRecipient(publicText(await newPgpKey(options)), now)).toMatchObject({ ok: true });
    },
  );

  it('costs a bounded number of verified signatures, whatever it holds', async () => {
    expect(await readRecipient(await manyNames(8), now)).toMatchObject({ ok: true });
    expect(verified.mock.calls.length).toBeLessThanOrEqual(40);
  });
});
