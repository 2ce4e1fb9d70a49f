import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobOf, lineOf, refusalOf, rsaLine } from './key-blobs.ts';

const REFUSED = 'Line 1 is no OpenSSH key.';
const MODULUS = `00${'ff'.repeat(256)}`;

/** The coordinates of a point on a curve. */
const pointOn = (namedCurve: string): readonly [Buffer, Buffer] => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
  return [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
};
const mark = (byte: number): Buffer => Buffer.from([byte]);

/** The fields of an ECDSA key behind its type. */
const ecdsa = (curve: string, namedCurve: string): readonly Buffer[] => [
  Buffer.from(curve),
  Buffer.concat([mark(4), ...pointOn(namedCurve)]),
];

/** Types, and the fields of a good key of each. */
const good = new Map<string, readonly Buffer[]>([
  ['ssh-ed25519', [Buffer.alloc(32, 7)]],
  ['ecdsa-sha2-nistp256', ecdsa('nistp256', 'P-256')],
  ['ecdsa-sha2-nistp384', ecdsa('nistp384', 'P-384')],
  ['ecdsa-sha2-nistp521', ecdsa('nistp521', 'P-521')],
  ['ssh-rsa', [Buffer.from('010001', 'hex'), Buffer.from(MODULUS, 'hex')]],
]);
const types = [...good.keys()];

describe.each(types)('the blob of a key of %s', (type) => {
  const fields = [Buffer.from(type), ...(good.get(type) ?? [])];
  const blob = blobOf(...fields);
  const refusal = (...other: readonly Buffer[]) => refusalOf(lineOf(type, blobOf(...other)));

  it('the blob is accepted', () => {
    expect(refusal(...fields)).toBe('taken');
  });

  it('a blob with a missing, extra or repeated field is refused', () => {
    for (const [at, field] of fields.entries()) {
      expect(refusal(...fields.slice(0, at)), `the first ${at}`).toBe(REFUSED);
      expect(refusal(...fields.toSpliced(at, 1)), `without field ${at}`).toBe(REFUSED);
      expect(refusal(...fields.toSpliced(at, 0, field)), `field ${at} twice`).toBe(REFUSED);
    }
    for (const more of [Buffer.alloc(0), mark(1)]) expect(refusal(...fields, more)).toBe(REFUSED);
  });

  it('a blob has the type of its line', () => {
    for (const other of types.filter((one) => one !== type))
      expect(refusal(Buffer.from(other), ...fields.slice(1)), other).toBe(REFUSED);
  });

  it('a blob ends with its last field', () => {
    for (let end = 0; end < blob.length; end += 1)
      expect(refusalOf(lineOf(type, blob.subarray(0, end))), `${end} bytes`).toMatch(/no OpenSSH key/);
    for (let more = 1; more <= 5; more += 1)
      expect(refusalOf(lineOf(type, Buffer.concat([blob, Buffer.alloc(more)])))).toBe(REFUSED);
    const last = fields.at(-1)?.length ?? 0;
    for (const length of [last - 1, last + 1, 0xff_ff_ff_ff]) {
      const wrong = Buffer.from(blob);
      wrong.writeUInt32BE(length, blob.length - last - 4);
      expect(refusalOf(lineOf(type, wrong)), `length ${length}`).toBe(REFUSED);
    }
  });
});

describe('an Ed25519 key', () => {
  it.each([0, 31, 33, 64])('an Ed25519 key of %i bytes is refused', (bytes) => {
    const type = 'ssh-ed25519';
    expect(refusalOf(lineOf(type, blobOf(Buffer.from(type), Buffer.alloc(bytes, 7))))).toBe(REFUSED);
  });
});

describe('an ECDSA key', () => {
  const type = 'ecdsa-sha2-nistp256';
  const refusal = (curve: string, ...point: readonly Buffer[]) =>
    refusalOf(lineOf(type, blobOf(Buffer.from(type), Buffer.from(curve), Buffer.concat(point))));
  const [x, y] = pointOn('P-256');

  it.each(['', 'nistp384', 'nistp521', 'NISTP256', 'P-256', 'nistp256\0'])(
    'an ECDSA key of the curve %j is refused',
    (curve) => {
      expect(refusal('nistp256', mark(4), x, y)).toBe('taken');
      expect(refusal(curve, mark(4), x, y)).toBe(REFUSED);
    },
  );

  it.each([0, 2, 3, 5, 6, 7, 0xff])('an ECDSA key whose point begins with %i is refused', (first) => {
    expect(refusal('nistp256', mark(first), x, y)).toBe(REFUSED);
    expect(refusal('nistp256', mark(first), x)).toBe(REFUSED);
  });

  it.each([
    ['is padded', [x, mark(0), y]],
    ['has one coordinate', [x]],
    ['has none', []],
    ['is on another curve', pointOn('P-384')],
    ['is on no curve', [x, x]],
  ])('an ECDSA key whose point %s is refused', (_, point) => {
    expect(refusal('nistp256', mark(4), ...point)).toBe(REFUSED);
  });
});

describe('an RSA key', () => {
  it('an RSA modulus has a leading zero byte exactly when its first bit is set', () => {
    const [high, low] = [`80${'00'.repeat(254)}01`, `7f${'ff'.repeat(256)}`];
    expect(['', '00'].map((zero) => refusalOf(rsaLine('010001', zero + high)))).toEqual([REFUSED, 'taken']);
    expect(['', '00'].map((zero) => refusalOf(rsaLine('010001', zero + low)))).toEqual(['taken', REFUSED]);
  });

  it.each([
    ['its modulus begins with needless zeros', '010001', `00${MODULUS}`],
    ['its modulus is empty', '010001', ''],
    ['its modulus is zero', '010001', '00'],
    ['its exponent is negative', 'ff0001', MODULUS],
    ['its exponent begins with a needless zero', '00010001', MODULUS],
    ['its exponent is empty', '', MODULUS],
    ['its exponent is zero', '00', MODULUS],
  ])('an RSA key is refused when %s', (_, e, n) => {
    expect(refusalOf(rsaLine(e, n))).toBe(REFUSED);
  });
});
