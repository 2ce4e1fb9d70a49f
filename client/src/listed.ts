/** Names in a sentence. */

/** Names in quotes, because a name may have commas itself. Beyond `most`, names are only counted. */
export const listed = (names: readonly string[], most: number): string => {
  const shown = names.slice(0, names.length > most ? most : names.length).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest.toLocaleString('en-US')} more` : shown.join(', ');
};
