import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { lookupQuery } from '../../shared/profiles/schemas.ts';
import { compileTransformations } from '../../shared/imports/mapping/transformations.ts';
import { accepted, refused } from './records.ts';

/** Every character beyond ASCII, except lone surrogates. */
const beyondAscii = Array.from({ length: 0x110000 - 0x80 }, (_, index) => index + 0x80)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/**
 * Characters that a change of case or of Unicode form turns into others, so that they could pass for another character.
 */
const foldable = beyondAscii.filter((character) =>
  [character.toLowerCase(), character.toUpperCase(), character.normalize('NFKC')].some(
    (folded) => folded !== character,
  ),
);

const address = (character: string): string => `bar${character}@example.org`;
const found = (email: string): string | undefined => {
  const read = v.safeParse(lookupQuery, { email });
  return read.success ? read.output.email : undefined;
};
/** Characters that nobody sees, so that an address is the same with and without them. */
const fillers = ['\u3164', '\uffa0'];

/** A letter in one case, composed: the same for characters that are canonically equivalent (Unicode Standard, 2.12). */
const letterOf = (character: string): string => character.normalize('NFC').toUpperCase();
const ascii = (text: string): string => text.replaceAll(/[^\0-\u007f]/g, '');

describe('an e-mail address', () => {
  it('never gains an ASCII letter from any other character', () => {
    expect(foldable.length).toBeGreaterThan(7_000);
    const gained = foldable.filter((character) => {
      const email = found(address(character));
      // A combining mark and the letter before it are one letter, which is not ASCII.
      const composed = ascii(address(character).normalize('NFC'));
      return email !== undefined && ascii(email) !== address('') && ascii(email) !== composed;
    });
    expect(gained).toEqual([]);
  });

  it('treats two characters as equal only if they are one letter in two cases or in two Unicode forms', () => {
    const senders = new Map<string, string[]>();
    for (const character of [...foldable, ...Array.from('abcdefghijklmnopqrstuvwxyz')]) {
      if (fillers.includes(character)) continue;
      const email = found(address(character));
      if (email !== undefined) senders.set(email, [...(senders.get(email) ?? []), character]);
    }
    const shared = [...senders].filter(([, [first = '', ...others]]) =>
      others.some((other) => letterOf(other) !== letterOf(first)),
    );
    expect(shared).toEqual([]);
  });

  it.each(['\u212a', '\u212b', '\u2126', '\u03f4', '\u0130'])('cannot contain %j', async (character) => {
    expect(refused({ email: address(character) })).toEqual(['email not_an_email']);
    expect(found(address(character))).toBeUndefined();
    const lower = await compileTransformations([{ name: 'lower' }], 1_024);
    const lowered = lower(address(character));
    expect(lowered).not.toBe(address('k'));
  });

  it.each([
    ['É', 'é'],
    ['Ж', 'ж'],
    ['Σ', 'ς'],
    ['K', 'k'],
  ])('with %s equals the address with %s', (upper, lower) => {
    expect(accepted({ email: address(upper) })).toEqual(accepted({ email: address(lower) }));
  });
});
