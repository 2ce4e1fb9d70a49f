import { createHash } from 'node:crypto';
import { armor, enums } from 'openpgp';

/** When crafted keys say that they were made: 1 January 2026. */
export const created = [0x69, 0x55, 0xb9, 0x00];

/** A number of OpenPGP with as many bits as asked for. */
export const mpi = (bits: number): Buffer => {
  const bytes = Buffer.alloc(2 + Math.ceil(bits / 8), 0xa5);
  bytes.writeUInt16BE(bits);
  return bytes;
};

/** A packet of a kind. */
export const packet = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0xc0 | tag, 0xff), uint32(body.length), body]);
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Packets as a block that calls itself a public key. */
export const block = (...packets: readonly Uint8Array[]): string =>
  armor(enums.armor.publicKey, Buffer.concat(packets));

const nameText = Buffer.from('Receiver');

/** The packet of a name. */
export const name = packet(13, nameText);

/** The body of a key of version 4. */
export const keyBody = (algorithm: number, ...numbers: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.of(4, ...created, algorithm), ...numbers]);

/**
 * A key with a name and a certificate that looks like the key's own: its issuer and the first bits of its hash are
 * right, so that a reader finds out by arithmetic only that it is not.
 */
export const certified = (body: Buffer, ...signature: readonly Buffer[]): string => {
  const key = Buffer.concat([Buffer.of(0x99, body.length >> 8, body.length & 0xff), body]);
  const issuer = createHash('sha1').update(key).digest().subarray(12);
  const signed = Buffer.of(4, 0x13, body[5] ?? 0, 8, 0, 6, 5, 2, ...created);
  const digest = createHash('sha256')
    .update(Buffer.concat([key, Buffer.of(0xb4), uint32(nameText.length), nameText]))
    .update(Buffer.concat([signed, Buffer.of(4, 0xff), uint32(signed.length)]))
    .digest();
  const unsigned = Buffer.concat([Buffer.of(0, 10, 9, 16), issuer]);
  return block(packet(6, body), name, packet(2, signed, unsigned, digest.subarray(0, 2), ...signature));
};

/** A power of two: it has an inverse to every odd number, so a verification with it goes through to the end. */
const power = (bytes: number): Buffer => {
  const number = Buffer.alloc(2 + bytes);
  number.writeUInt16BE(bytes * 8);
  number[2] = 0x80;
  return number;
};

/** A DSA key whose numbers all have about so many bits: at 14,000 openpgp.js verifies it for more than ten seconds. */
export const dsaKey = (bits: number): string => {
  const [p, q, g, y] = [mpi(bits), mpi(bits), mpi(bits - 8), mpi(bits - 16)];
  const bytes = Math.floor(bits / 8);
  return certified(keyBody(17, p, q, g, y), power(bytes - 1), power(bytes - 2));
};
