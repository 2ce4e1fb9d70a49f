/** Zero-width characters, which `trim` leaves alone: space, non-joiner, joiner, word joiner. */
const zeroWidth: ReadonlySet<string> = new Set(['\u200b', '\u200c', '\u200d', '\u2060']);

/** Whether a character is white space, or one of the invisible characters that copying leaves at the ends of cells. */
const isInvisible = (character: string): boolean => character.trim() === '' || zeroWidth.has(character);

/**
 * A text without the invisible characters at its ends. Looks at each character once at most, from both ends inwards, and at
 * none between the first and the last that stay.
 */
export const strip = (text: string, isBlank: (character: string) => boolean = isInvisible): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};
