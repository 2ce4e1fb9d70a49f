import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { checkPackets } from '../../shared/pgp/packets.ts';
import { created, keyBody, mpi } from '../support/crafted-pgp-keys.ts';

const bigEndian = (value: number, bytes: number): Buffer => {
  const text = Buffer.alloc(bytes);
  text.writeUIntBE(value, 0, bytes);
  return text;
};

/** The ways of writing a packet's length (RFC 9580, 4.2), each with the largest length that it can tell. */
const forms: readonly (readonly [least: number, most: number, (tag: number, length: number) => Buffer])[] = [
  [0, 255, (tag, length) => Buffer.of(0x80 | (tag << 2), length)],
  [0, 65_535, (tag, length) => Buffer.concat([Buffer.of(0x81 | (tag << 2)), bigEndian(length, 2)])],
  [0, 70_000, (tag, length) => Buffer.concat([Buffer.of(0x82 | (tag << 2)), bigEndian(length, 4)])],
  [0, 191, (tag, length) => Buffer.of(0xc0 | tag, length)],
  [192, 8_383, (tag, length) => Buffer.of(0xc0 | tag, ((length - 192) >> 8) + 192, (length - 192) & 0xff)],
  [0, 70_000, (tag, length) => Buffer.concat([Buffer.of(0xc0 | tag, 255), bigEndian(length, 4)])],
];
const NAME = 13;
const packet = (tag: number, body: Buffer, form = 5): Buffer => {
  const [least, most, write] = forms[form] ?? [0, 0, () => Buffer.alloc(0)];
  if (body.length < least || body.length > most) throw new Error('the form cannot tell this length');
  return Buffer.concat([write(tag, body.length), body]);
};

const ed25519 = keyBody(27, Buffer.alloc(32, 1));
const key = packet(6, ed25519);
/** The fault of the bytes of a key; undefined for a key that is taken. */
const packetFaultOf = (bytes: Uint8Array) => {
  const checked = checkPackets(bytes);
  return checked.ok ? undefined : checked.error;
};
const faultOf = (...packets: readonly Buffer[]) => packetFaultOf(Buffer.concat(packets));

describe('the packets of a key', () => {
  const somePacket = fc
    .integer({ min: 0, max: forms.length - 1 })
    .chain((form) => {
      const [least, most] = forms[form] ?? [0, 0];
      const length = fc.oneof(
        fc.constantFrom(0, 1, 191, 192, 193, 255, 256, 447, 448, 703, 704, 4_000),
        fc.nat(5_000),
      );
      return fc.record({
        form: fc.constant(form),
        length: length.filter((one) => one >= least && one <= most),
      });
    })
    .map(({ form, length }) => packet(NAME, Buffer.alloc(length, 0xff), form));

  it('are read however their lengths are written, and none of them may be cut off', () => {
    fc.assert(
      fc.property(fc.array(somePacket, { minLength: 1, maxLength: 3 }), (names) => {
        expect(faultOf(key, ...names, key)).toBe('several_keys');
        const whole = Buffer.concat([key, ...names]);
        expect(packetFaultOf(whole)).toBe(whole.length > limits.pgp.keyBytes ? 'key_too_large' : undefined);
        expect(packetFaultOf(whole.subarray(0, limits.pgp.keyBytes).subarray(0, -1))).toBe('not_a_pgp_key');
      }),
    );
  });

  it.each([0, 1, 2, 3, 5])('are judged however the length of the key is written: %i', (form) => {
    expect(faultOf(packet(6, ed25519, form))).toBeUndefined();
    expect(faultOf(packet(6, keyBody(17, mpi(2_048)).subarray(0, 60), form))).toBe('key_unsupported');
  });

  it.each([
    ['nothing', []],
    ['a header without its length', [key, Buffer.of(0xcd)]],
    ['a length of two bytes cut off', [key, Buffer.of(0xcd, 192)]],
    ['a length of four bytes cut off', [key, Buffer.of(0xcd, 255, 0, 0, 0)]],
    ['an old length cut off', [key, Buffer.of(0xb5, 0)]],
    ['a partial length', [key, Buffer.of(0xcd, 224), Buffer.alloc(1 + 8_384)]],
    ['the largest partial length', [key, Buffer.of(0xcd, 254, 0, 0, 0, 1, 65)]],
    ['an indeterminate length', [key, Buffer.of(0xb7), Buffer.alloc(4)]],
    ['a byte that begins no packet', [key, Buffer.of(0x4d, 0)]],
    ['a name before the key', [packet(NAME, Buffer.of(65)), key]],
    ['a part of a key without the key', [packet(14, ed25519)]],
  ] as const)('are none: %s', (_, packets) => {
    expect(faultOf(...packets)).toBe('not_a_pgp_key');
  });

  it.each([5, 7])('of a private key are refused wherever they stand: %i', (tag) => {
    expect(faultOf(packet(tag, ed25519))).toBe('private_key');
    expect(faultOf(key, packet(tag, ed25519))).toBe('private_key');
  });

  it('may end with an empty one', () => {
    for (const form of [0, 1, 2, 3, 5])
      expect(faultOf(key, packet(NAME, Buffer.alloc(0), form))).toBeUndefined();
  });

  it('are bounded in number and in bytes', () => {
    const names = (count: number) => Array.from({ length: count }, () => packet(NAME, Buffer.of(65)));
    expect(faultOf(key, ...names(limits.pgp.keyPackets - 1))).toBeUndefined();
    expect(faultOf(key, ...names(limits.pgp.keyPackets))).toBe('key_too_large');
    const filler = (bytes: number) => packet(NAME, Buffer.alloc(bytes - key.length - 6));
    expect(faultOf(key, filler(limits.pgp.keyBytes))).toBeUndefined();
    expect(faultOf(key, filler(limits.pgp.keyBytes + 1))).toBe('key_too_large');
  });
});

describe('the numbers of a key', () => {
  const version6 = (algorithm: number, ...numbers: readonly Buffer[]): Buffer => {
    const material = Buffer.concat(numbers);
    return Buffer.concat([Buffer.of(6, ...created, algorithm), bigEndian(material.length, 4), material]);
  };
  const curve = (hex: string): Buffer => Buffer.concat([Buffer.of(hex.length / 2), Buffer.from(hex, 'hex')]);
  const [p256, p384, p521] = ['2a8648ce3d030107', '2b81040022', '2b81040023'].map(curve);
  const [ed, x] = ['2b06010401da470f01', '2b060104019755010501'].map(curve);
  const [brainpool, none] = [curve('2b2403030208010107'), Buffer.alloc(0)];
  const { rsaBits, rsaExponentBits } = limits.pgp;
  const rsa = (modulus: number, exponent: number): Buffer => Buffer.concat([mpi(modulus), mpi(exponent)]);

  it.each([
    ['RSA', [1, 2, 3], rsa(2_048, 17), undefined],
    ['the largest RSA', [1, 2, 3], rsa(rsaBits, rsaExponentBits), undefined],
    ['a larger modulus', [1, 2, 3], rsa(rsaBits + 1, 17), 'key_too_large'],
    ['a larger exponent', [1, 2, 3], rsa(2_048, rsaExponentBits + 1), 'key_too_large'],
    ['RSA without an exponent', [1, 2, 3], mpi(2_047), 'not_a_pgp_key'],
    ['RSA without a number', [1, 2, 3], none, 'not_a_pgp_key'],
    ['RSA with half a length', [1, 2, 3], Buffer.of(8), 'not_a_pgp_key'],
    ['P-256', [18, 19], p256, undefined],
    ['P-384', [18, 19], p384, undefined],
    ['P-521', [18, 19], p521, undefined],
    ['Curve25519', [18], x, undefined],
    ['Curve25519 to sign with', [19, 22], x, 'key_unsupported'],
    ['Ed25519', [22], ed, undefined],
    ['Ed25519 for another use', [18, 19], ed, 'key_unsupported'],
    ['Brainpool', [18, 19, 22], brainpool, 'key_unsupported'],
    ['a curve without a name', [18, 19, 22], none, 'key_unsupported'],
    ['fixed curves', [25, 26, 27, 28], Buffer.alloc(57), undefined],
    ['other algorithms', [0, 16, 17, 20, 21, 23, 24, 29, 100], Buffer.alloc(64), 'key_unsupported'],
  ] as const)('are judged in keys and in their parts: %s', (_, allAlgorithms, numbers = none, fault) => {
    for (const algorithm of allAlgorithms)
      for (const body of [keyBody(algorithm, numbers), version6(algorithm, numbers)]) {
        expect([algorithm, faultOf(packet(6, body))]).toEqual([algorithm, fault]);
        expect([algorithm, faultOf(key, packet(14, body))]).toEqual([algorithm, fault]);
      }
  });

  it.each([0, 2, 3, 5, 7])('are of no version that is taken: %i', (version) => {
    expect(faultOf(packet(6, Buffer.concat([Buffer.of(version), ed25519.subarray(1)])))).toBe(
      'key_unsupported',
    );
  });

  it('of a key that ends before them are refused', () => {
    for (let length = 0; length <= 5; length += 1)
      expect(faultOf(packet(6, ed25519.subarray(0, length)))).toBe('key_unsupported');
  });
});
