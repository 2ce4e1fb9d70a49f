/**
 * Visible text: a text without the characters that nobody sees. Identities, e-mail addresses, telephone numbers, names of
 * segments, headers and the transformation `strip` share this one rule, so that two of them never look alike and differ.
 */

/** Printable ASCII without white space at its ends. Most texts are such, and need no further look. */
const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/**
 * Characters without a glyph: bidirectional marks, zero-width characters, soft hyphens, variation selectors, fillers and
 * tags (Unicode property Default_Ignorable_Code_Point), and the marks of annotations.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** White space other than the space, tabs and line breaks, and the blank pattern of Braille. */
const otherSpaces = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/g;

/** Invisible characters that change the look of the letters or signs beside them: joiners, selectors of emoji, tags of flags. */
const joining = /^[\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}]$/u;

/** Signs and letters of the scripts in which a joining character has an effect. */
const joined =
  /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Signs of units that NFC would turn into letters: an address with the Kelvin sign is not the address with a K. */
const unitSigns = /[\u2126\u212a\u212b]/;

/**
 * The text as people see it: without invisible characters, with a space for each other kind of blank, composed (NFC;
 * texts with signs of units stay), and without white space at its ends. A joiner stays between the signs or letters that
 * it joins. Reads each character a bounded number of times.
 */
export const visibleText = (text: string): string => {
  if (plain.test(text)) return text;
  const seen = invisible.test(text) ? withoutInvisible(text) : text;
  const spaced = seen.replace(otherSpaces, ' ').trim();
  return unitSigns.test(spaced) ? spaced : spaced.normalize('NFC');
};

const spaces = /\s+/g;

/** A text as people see it, composed, in one line with single spaces. Two texts that look alike are one text. */
export const visibleLine = (text: string): string => {
  if (plain.test(text)) return text.includes('  ') ? text.replace(spaces, ' ') : text;
  return visibleText(text).normalize('NFC').replace(spaces, ' ');
};

/** Characters of ASCII that show. Nearly every text has one, and needs no further look. */
const shown = /[!-~]/;

/** Whether nobody would see anything of a text. */
export const isBlank = (text: string): boolean =>
  text === '' || (!shown.test(text) && visibleText(text) === '');

const withoutInvisible = (text: string): string => {
  const kept: string[] = [];
  let waiting: string[] = [];
  let base = '';
  for (const character of text) {
    if (!invisible.test(character)) {
      kept.push(...waiting, character);
      waiting = [];
      base = character;
    } else if (joining.test(character) && joined.test(base)) {
      waiting.push(character);
    }
  }
  // At the end, a joiner joins nothing. A selector or a tag belongs to the sign before it.
  return kept.join('') + waiting.filter((character) => !zeroWidth.test(character)).join('');
};

const zeroWidth = /^[\u200c\u200d]$/;
