/** Shortens texts that messages quote. */

const halfPair = /[\ud800-\udbff]$/;

/** A text of at most `most` characters. A longer text is cut, which a `…` behind it says; no character is cut in two. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(halfPair, '')}…`;
