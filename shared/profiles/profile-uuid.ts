/** Profile UUIDs: encrypts ordinals into UUIDs and decrypts them, so that clients never see an ordinal. */
import { createCipheriv, timingSafeEqual, type Cipheriv } from 'node:crypto';
import type { PropertyKeys } from '../properties/scope.ts';

type UuidKeys = PropertyKeys['uuid'];

/**
 * Encrypts an ordinal into the UUID of a profile. T = the low 74 bits of AES_K1(ordinal); C = the ordinal's 48
 * bits ⊕ the top 48 of AES_K2(T). The UUID is C‖T around version 8 and the variant. It cannot be guessed, and a
 * forged UUID is detected without a read, because T is recomputed.
 */
export const sealOrdinal = (keys: UuidKeys, ordinal: number): string =>
  sealOrdinals(keys, [ordinal])[0] ?? '';

/** The UUIDs of some ordinals, in their order. A call of a cipher costs far more than a block. */
export const sealOrdinals = (keys: UuidKeys, ordinals: readonly number[]): readonly string[] => {
  const { k1, k2 } = ciphersOf(keys);
  const tags = tagsOf(k1, ordinals);
  const masks = k2.update(tags);
  const blocks = Buffer.alloc(tags.length);
  ordinals.forEach((ordinal, index) => {
    const start = index * BLOCK;
    blocks.writeUIntBE(ordinal, start, ORDINAL_BYTES);
    for (let place = start; place < start + ORDINAL_BYTES; place += 1)
      blocks[place] = at(blocks, place) ^ at(masks, place);
    // 12 bits of the tag follow the version, 62 follow the variant.
    blocks[start + 6] = VERSION | ((at(tags, start + 6) & 0x03) << 2) | (at(tags, start + 7) >> 6);
    blocks[start + 7] = ((at(tags, start + 7) & 0x3f) << 2) | (at(tags, start + 8) >> 6);
    tags.copy(blocks, start + 8, start + 8, start + BLOCK);
    blocks[start + 8] = VARIANT | (at(tags, start + 8) & 0x3f);
  });
  const hex = blocks.toString('hex');
  return ordinals.map((_, index) => dashed(hex.slice(index * BLOCK * 2, (index + 1) * BLOCK * 2)));
};

const dashed = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

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
  return timingSafeEqual(tagsOf(k1, [ordinal]), tag) ? ordinal : undefined;
};

const BLOCK = 16;
const ORDINAL_BYTES = 6;
const VERSION = 0x80;
const VARIANT = 0x80;
const form = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

const at = (bytes: Buffer, index: number): number => bytes.readUInt8(index);

/** The tags of some ordinals: for each a block whose upper 54 bits are zero. */
const tagsOf = (k1: Cipheriv, ordinals: readonly number[]): Buffer => {
  const plain = Buffer.alloc(ordinals.length * BLOCK);
  ordinals.forEach((ordinal, index) =>
    plain.writeUIntBE(ordinal, (index + 1) * BLOCK - ORDINAL_BYTES, ORDINAL_BYTES),
  );
  const tags = k1.update(plain);
  for (let start = 0; start < tags.length; start += BLOCK) {
    tags.fill(0, start, start + 6);
    tags[start + 6] = at(tags, start + 6) & 0x03;
  }
  return tags;
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
