import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank, visibleText } from '../../shared/runtime/visible-text.ts';

const invisible = [
  '\u200b',
  '\u200e',
  '\u202a',
  '\u202c',
  '\u2066',
  '\u00ad',
  '\ufeff',
  '\u2060',
  '\u034f',
  '\u3164',
  '\ufe0f',
];

describe('the visible text', () => {
  it.each([
    ['', ''],
    ['plain text', 'plain text'],
    ['  both ends\t', 'both ends'],
    ['two\nlines', 'two\nlines'],
    ['\u202a+49 30 901840\u202c', '+49 30 901840'],
    ['a\u200bb\u00adc\ufeff@x.org', 'abc@x.org'],
    ['Bad\u00a0Orb\u200b', 'Bad Orb'],
    ['1\u202f000\u2009€', '1 000 €'],
    ['Jose\u0301', 'José'],
    ['\u2800\u3164\u200b', ''],
    // The Kelvin sign is no letter: it stays what it is.
    ['\u212aate', '\u212aate'],
  ])('of %j is %j', (text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  it.each([
    ['emoji of several signs', '👩\u200d🚀 ❤\ufe0f', '👩\u200d🚀 ❤\ufe0f'],
    ['a flag made of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', undefined],
    ['a Persian word with a non-joiner', 'می\u200cخواهم', undefined],
    ['a Hindi word with a joiner', 'क्\u200dष', undefined],
    ['a joiner at the end, which joins nothing', 'سلام\u200d', 'سلام'],
    ['a joiner between Latin letters', 'a\u200db\u200cc', 'abc'],
    ['a selector behind a letter', 'a\ufe0f', 'a'],
  ])('keeps or drops joining characters: %s', (_, text, seen = text) => {
    expect(visibleText(text)).toBe(seen);
  });

  it('does not depend on invisible characters between letters, and changes nothing twice', () => {
    const letters = fc.array(fc.constantFrom('a', 'É', 'ß', 'Ж', '語', '@', '.', '7'), { minLength: 1 });
    const seams = fc.infiniteStream(fc.constantFrom('', ...invisible));
    fc.assert(
      fc.property(letters, seams, (word, fillers) => {
        const [first = '', ...rest] = word;
        const filled = rest.reduce((text, letter) => `${text}${fillers.next().value ?? ''}${letter}`, first);
        expect(visibleText(filled)).toBe(visibleText(word.join('')));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(visibleText(text))).toBe(visibleText(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is empty for a text of which nobody sees anything', () => {
    expect(['', ' ', '\u200b', '\u00a0\u3000', '\ufeff'].map(isBlank)).toEqual(Array(5).fill(true));
    expect(isBlank('.')).toBe(false);
  });
});
