/** Readings: shows people a word in the code pages that a file may have, for messages. */
import type { CodePage } from './dialect.ts';
import type { Reading } from './find-code-page.ts';

/** The word in each code page: `"Gdañsk" in windows-1252 and "Gdańsk" in windows-1250`. */
export const readAs = (readings: readonly Reading[]): string =>
  readings.map(({ codePage, text }) => `${JSON.stringify(text)} in ${codePage}`).join(' and ');

/** The command that makes UTF-8 of a file in the last of these code pages. */
export const iconvTo = (readings: readonly Reading[]): string =>
  iconv(readings.at(-1)?.codePage ?? 'windows-1252');

/** The command that makes UTF-8 of a file in a code page. `iconv` knows all but two names of `TextDecoder`. */
export const iconv = (codePage: CodePage): string => {
  const name = iconvNames.get(codePage) ?? codePage.toUpperCase();
  return `\`iconv -f ${name} -t UTF-8 people.csv > people-utf8.csv\``;
};

const iconvNames = new Map<CodePage, string>([
  ['x-mac-cyrillic', 'MACCYRILLIC'],
  ['windows-874', 'CP874'],
  ['ibm866', 'CP866'],
]);
