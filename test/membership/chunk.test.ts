import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  and,
  andNot,
  bitsOf,
  countBits,
  decodeChunk,
  encodeChunk,
  hasBit,
  noBits,
  offsetsFrom,
  or,
  setBit,
} from '../../shared/membership/chunk.ts';

const offset = fc.integer({ min: 0, max: 4095 });

/** Sets of every density: from empty, across the border between the two encodings, to full. */
const members = fc
  .oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 4096 }))
  .chain((size) =>
    fc.uniqueArray(offset, { minLength: Math.min(size, 500), maxLength: Math.min(size, 4096) }),
  )
  .map((offsets) => new Set(offsets));
const sorted = (set: Iterable<number>): readonly number[] => [...set].sort((a, b) => a - b);

describe('a chunk of members', () => {
  it('survives encoding and decoding, takes at most 513 bytes, and uses the shorter encoding', () => {
    fc.assert(
      fc.property(members, (set) => {
        const bytes = encodeChunk(bitsOf(set));
        expect(offsetsFrom(decodeChunk(bytes))).toEqual(sorted(set));
        expect(bytes.length).toBe(1 + Math.min(set.size * 2, 512));
      }),
    );
  });

  it.each([0, 1, 255, 256, 257, 4095, 4096])('can hold %i members', (size) => {
    const all = Array.from({ length: size }, (_, index) => 4095 - index);
    const bytes = encodeChunk(bitsOf(all));
    expect(offsetsFrom(decodeChunk(bytes))).toEqual(sorted(all));
    expect(bytes[0]).toBe(size < 256 ? 1 : 2);
  });

  it('combines with other chunks like a set', () => {
    fc.assert(
      fc.property(members, members, (a, b) => {
        const [left, right] = [bitsOf(a), bitsOf(b)];
        expect(offsetsFrom(and(left, right))).toEqual(sorted([...a].filter((one) => b.has(one))));
        expect(offsetsFrom(or(left, right))).toEqual(sorted(new Set([...a, ...b])));
        expect(offsetsFrom(andNot(left, right))).toEqual(sorted([...a].filter((one) => !b.has(one))));
        expect(countBits(left)).toBe(a.size);
      }),
    );
  });

  it('can be walked from any offset', () => {
    fc.assert(
      fc.property(members, offset, (set, from) => {
        const bits = bitsOf(set);
        expect(offsetsFrom(bits, from)).toEqual(sorted(set).filter((one) => one >= from));
        expect(hasBit(bits, from)).toBe(set.has(from));
      }),
    );
  });

  it('sets and clears single members', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(offset, fc.boolean())), (steps) => {
        const [bits, set] = [noBits(), new Set<number>()];
        for (const [at, member] of steps) {
          setBit(bits, at, member);
          if (member) set.add(at);
          else set.delete(at);
        }
        expect(offsetsFrom(bits)).toEqual(sorted(set));
      }),
    );
  });

  it.each([-1, 4096, Number.NaN])('rejects the offset %d', (outside) => {
    expect(() => setBit(noBits(), outside, true)).toThrow(RangeError);
  });

  it.each([
    ['nothing', []],
    ['an unknown form', [3, 0, 0]],
    ['half an entry', [1, 5]],
    ['a list out of order', [1, 5, 0, 4, 0]],
    ['a member twice', [1, 5, 0, 5, 0]],
    ['a member outside', [1, 0, 16]],
    ['a short bitset', [2, 255, 255]],
    ['a bitset that should be a list', [2, ...new Uint8Array(512)]],
    ['a list that should be a bitset', [1, ...new Uint8Array(512)]],
  ])('cannot be decoded from %s', (_, bytes) => {
    expect(() => decodeChunk(Uint8Array.from(bytes))).toThrow();
  });
});
