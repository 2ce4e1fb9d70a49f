/** Profile UUIDs: encrypts ordinals into UUIDs and decrypts them, so that clients never see an ordinal. */
import { createCipheriv, timingSafeEqual, type Cipheriv } from 'node:crypto';
import type { PropertyKeys } from '../properties/scope.ts';

type UuidKeys = PropertyKeys['uuid'];

/**
 * Encrypts an ordinal into the UUID of a profile. T = the low 74 bits of AES_K1(ordinal); C = the ordinal's 48
 * bits ⊕ the top 48 of AES_K2(T). The UUID is C‖T around version 8 and the variant. It cannot be guessed, and a
 * forged UUID is detected without a read, because T is recomputed.
 */
export const sealOrdinal = (keys: UuidKeys, ordinal: number): string => {
  const { k1, k2 } = ciphersOf(keys);
  const tag = tagOf(k1, ordinal);
  const mask = k2.update(tag);
  const block = Buffer.alloc(BLOCK);
  block.writeUIntBE(ordinal, 0, ORDINAL_BYTES);
  for (let index = 0; index < ORDINAL_BYTES; index += 1) block[index] = at(block, index) ^ at(mask, index);
  // 12 bits of the tag follow the version, 62 follow the variant.
  block[6] = VERSION | ((at(tag, 6) & 0x03) << 2) | (at(tag, 7) >> 6);
  block[7] = ((at(tag, 7) & 0x3f) << 2) | (at(tag, 8) >> 6);
  tag.copy(block, 8, 8);
  block[8] = VARIANT | (at(tag, 8) & 0x3f);
  const hex = block.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** The ordinal of a UUID that this property issued; undefined for any other text. */
export const openUuid = (keys: UuidKeys, uuid: string): number | undefined => {
  if (!form.test(uuid)) return undefined;
  const block = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const tag = Buffer.alloc(BLOCK);
  block.copy(tag, 9, 9);
  tag[6] = (at(block, 6) & 0x0c) >> 2;
  tag[7] = ((at(block, 6) & 0x03) << 6) | (at(block, 7) >> 2);
  tag[8] = ((at(block, 7) & 0x03) << 6) | (at(block, 8) & 0x3f);
  const { k1, k2 } = ciphersOf(keys);
  const mask = k2.update(tag);
  for (let index = 0; index < ORDINAL_BYTES; index += 1) block[index] = at(block, index) ^ at(mask, index);
  const ordinal = block.readUIntBE(0, ORDINAL_BYTES);
  return timingSafeEqual(tagOf(k1, ordinal), tag) ? ordinal : undefined;
};

const BLOCK = 16;
const ORDINAL_BYTES = 6;
const VERSION = 0x80;
const VARIANT = 0x80;
const form = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

const at = (bytes: Buffer, index: number): number => bytes.readUInt8(index);

/** The tag of an ordinal: a block whose upper 54 bits are zero. */
const tagOf = (k1: Cipheriv, ordinal: number): Buffer => {
  const plain = Buffer.alloc(BLOCK);
  plain.writeUIntBE(ordinal, BLOCK - ORDINAL_BYTES, ORDINAL_BYTES);
  const tag = k1.update(plain);
  tag.fill(0, 0, 6);
  tag[6] = at(tag, 6) & 0x03;
  return tag;
};

interface Ciphers {
  readonly k1: Cipheriv;
  readonly k2: Cipheriv;
}
const ciphers = new WeakMap<UuidKeys, Ciphers>();

/** A cipher in ECB mode without padding maps each block independently, so one cipher per key serves all UUIDs. */
const ciphersOf = (keys: UuidKeys): Ciphers => {
  const known = ciphers.get(keys);
  if (known) return known;
  const made = { k1: blockCipher(keys.k1), k2: blockCipher(keys.k2) };
  ciphers.set(keys, made);
  return made;
};

const blockCipher = (key: Uint8Array): Cipheriv =>
  createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
