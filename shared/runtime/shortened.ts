/** Shortens texts that messages quote, and lists them in sentences. */

const halfPair = /[\ud800-\udbff]$/;

/** A text of at most `most` characters. A longer text is cut, which a `…` behind it says; no character is cut in two. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(halfPair, '')}…`;

/** The first of some items, and the number of the others: `a, b and 3 more`. Asks for the texts of no others. */
export const firstOf = <T>(items: readonly T[], most: number, textOf: (item: T) => string): string => {
  const more = items.length - most;
  return `${items.slice(0, most).map(textOf).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** All of some texts: `a, b and c`. */
export const allOf = (texts: readonly string[], word: 'and' | 'or'): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(` ${word} `);
