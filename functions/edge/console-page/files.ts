/**
 * Files of the console: a script and a style sheet, built from `console/`, the texts of each language but English, which only its
 * readers load, and the licences of what the script holds.
 */

/** What each file is built from. */
export const consoleFiles: Readonly<
  Record<'app.js' | 'de.js' | 'style.css' | 'licences.txt', readonly string[]>
> = {
  'app.js': ['console/src/app.tsx'],
  'de.js': ['console/src/texts/de.ts'],
  'style.css': ['console/src/style.css'],
  'licences.txt': ['preact/LICENSE'],
};

/** The name of a file of the console. */
export type ConsoleFile = keyof typeof consoleFiles;
