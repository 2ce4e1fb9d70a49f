import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openUuid, sealOrdinal } from '../../shared/profiles/profile-uuid.ts';

const newKeys = () => ({ k1: randomBytes(16), k2: randomBytes(16) });
const keys = newKeys();
const MAX = 2 ** 48 - 1;

/** The same construction on big integers, written like its definition. */
const plainly = ({ k1, k2 }: typeof keys, ordinal: number): string => {
  const aes = (key: Buffer, block: bigint): bigint => {
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    const bytes = Buffer.from(block.toString(16).padStart(32, '0'), 'hex');
    return BigInt(`0x${Buffer.concat([cipher.update(bytes), cipher.final()]).toString('hex')}`);
  };
  const tag = aes(k1, BigInt(ordinal)) & ((1n << 74n) - 1n);
  const sealed = BigInt(ordinal) ^ (aes(k2, tag) >> 80n);
  const bits =
    (sealed << 80n) | (8n << 76n) | ((tag >> 62n) << 64n) | (2n << 62n) | (tag & ((1n << 62n) - 1n));
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

it('a sealed ordinal is a UUID of version 8 as defined, and can be opened again', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.nat({ max: 1000 }),
        fc.maxSafeNat().map((n) => n % (MAX + 1)),
      ),
      (ordinal) => {
        const uuid = sealOrdinal(keys, ordinal);
        expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(uuid).toBe(plainly(keys, ordinal));
        expect(openUuid(keys, uuid)).toBe(ordinal);
        expect(openUuid(keys, uuid.toUpperCase())).toBe(ordinal);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(openUuid(keys, sealOrdinal(keys, MAX))).toBe(MAX);
});

it('a UUID with one changed bit cannot be opened', () => {
  for (const ordinal of [0, 1, 255, MAX]) {
    const hex = sealOrdinal(keys, ordinal).replaceAll('-', '');
    for (let bit = 0; bit < 128; bit += 1) {
      const forged = (BigInt(`0x${hex}`) ^ (1n << BigInt(bit))).toString(16).padStart(32, '0');
      const uuid = forged.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      expect(openUuid(keys, uuid)).toBeUndefined();
    }
  }
});

it('a UUID of another property or a malformed UUID cannot be opened', () => {
  expect(openUuid(keys, sealOrdinal(newKeys(), 5))).toBeUndefined();
  const good = sealOrdinal(keys, 5);
  for (const text of [
    '',
    'x',
    good.slice(1),
    `${good}0`,
    good.replaceAll('-', ''),
    ` ${good}`,
    `${good}\n`,
    '__proto__',
  ])
    expect(openUuid(keys, text)).toBeUndefined();
});

it('ten thousand neighbouring ordinals give ten thousand different UUIDs', () => {
  expect(new Set(Array.from({ length: 10_000 }, (_, n) => sealOrdinal(keys, n))).size).toBe(10_000);
});
