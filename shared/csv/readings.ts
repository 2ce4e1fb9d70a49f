/** Readings: shows people a word in the code pages that a file may have, for messages. */
import type { CodePage } from './dialect.ts';
import type { Reading } from './find-code-page.ts';

/** The word in each code page: `"Gdañsk" in windows-1252 and "Gdańsk" in windows-1250`. */
export const readAs = (readings: readonly Reading[]): string =>
  readings.map(({ codePage, text }) => `${JSON.stringify(text)} in ${codePage}`).join(' and ');

/**
 * The command that makes UTF-8 of a file in a code page. The service does not know how the file is called where the command
 * runs. `iconv` knows all but some of our names.
 */
export const iconv = (codePage: CodePage): string => {
  const name = iconvNames.get(codePage) ?? codePage.toUpperCase();
  return `\`iconv -f ${name} -t UTF-8 FILE > NEW_FILE\``;
};

const iconvNames = new Map<CodePage, string>([
  ['x-mac-cyrillic', 'MACCYRILLIC'],
  ['windows-874', 'CP874'],
  ['ibm437', 'CP437'],
  ['ibm850', 'CP850'],
  ['ibm852', 'CP852'],
  ['ibm866', 'CP866'],
]);
