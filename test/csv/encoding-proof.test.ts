import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EncodingEvidence, noEvidence } from '../../shared/csv/encoding-evidence.ts';
import { EncodingProof, provenBy } from '../../shared/csv/encoding-proof.ts';

const proofOf = (pieces: readonly Uint8Array[], from: EncodingEvidence = noEvidence): EncodingEvidence => {
  const proof = new EncodingProof(from);
  for (const piece of pieces) proof.push(piece);
  return proof.finish();
};

/** Bytes that are common in text, in cut characters and in text of other encodings. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'ü', '€', '𝄞', '\n', 'word', 'x'.repeat(40)).map((text) => Buffer.from(text)),
      fc
        .constantFrom(0x80, 0x81, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xa0, 0xf0, 0x90, 0xf4, 0xf5, 0xfc, 0xff)
        .map((byte) => Buffer.of(byte)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

describe('the proof of an encoding', () => {
  it('names a contradiction exactly when the bytes are not UTF-8', () => {
    fc.assert(
      fc.property(bytes, (file) => {
        const { contradiction, offset } = proofOf([file]);
        expect(contradiction === null).toBe(isUtf8(file));
        expect(offset).toBe(file.length);
        if (contradiction) {
          expect(file[contradiction.offset]).toBe(contradiction.byte);
          // A character that is cut by the contradiction begins in front of it at the most.
          expect(isUtf8(file.subarray(0, contradiction.offset))).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is the same whatever the pieces, and whoever continues it', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), fc.nat(40), (file, one, two) => {
        const expected = proofOf([file]);
        const [first, second] = [Math.min(one, two, file.length), Math.min(Math.max(one, two), file.length)];
        const pieces = [file.subarray(0, first), file.subarray(first, second), file.subarray(second)];
        expect(proofOf(pieces)).toEqual(expected);
        const before = new EncodingProof(noEvidence);
        before.push(file.subarray(0, second));
        const { evidence } = before;
        expect(proofOf([file.subarray(evidence.offset)], evidence)).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['ASCII', 'plain', 'utf-8'],
    ['UTF-8', 'Zoë, Käthe', 'utf-8'],
    ['Windows-1252', 'Zo\xeb, K\xe4the \x80', 'windows-1252'],
    [
      'Windows-1252 with a pair of bytes that is UTF-8 by chance',
      'K\xe4the, M\xfcller, Spa\xdf\x93',
      'windows-1252',
    ],
  ])('proves %s', (_, text, encoding) => {
    const file = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(text, 'latin1');
    expect(provenBy(proofOf([file]))).toMatchObject({
      ok: true,
      value: { encoding, doubt: [] },
    });
  });

  it.each([
    ['UTF-8 with one byte of Windows-1252', Buffer.from('Z\xc3\xab \xc3\xbc \xfc', 'latin1'), 7, 0xfc],
    ['a byte without a character in Windows-1252', Buffer.from('Zo\xeb \x81', 'latin1'), 2, 0xeb],
  ])('proves nothing of %s', (_, file, offset, byte) => {
    expect(provenBy(proofOf([file]))).toMatchObject({
      ok: false,
      error: { offset, byte },
    });
  });
});
