/** Names of files that commands write. */
import { link, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** The names to try for a list of refused rows beside `file`: `visitors.rejects.csv`, `visitors.rejects.2.csv`, … */
export function* rejectNames(file: string): Generator<string, undefined> {
  const folder = dirname(file);
  const stem = basename(basename(file, '.gz'), extname(basename(file, '.gz'))).replace(
    /\.rejects(?:\.\d+)?$/,
    '',
  );
  yield join(folder, `${stem}.rejects.csv`);
  for (let number = 2; ; number += 1) yield join(folder, `${stem}.rejects.${number}.csv`);
}

/**
 * Writes a new file under the first name that is free, and returns the name. It never replaces a file: an existing list may
 * have corrections.
 */
export const writeNew = async (names: Iterable<string>, content: Uint8Array): Promise<string> => {
  for (const name of names) {
    const temporary = `${name}.${process.pid}.part`;
    try {
      await writeFile(temporary, content, { flag: 'wx', mode: 0o600 });
      // A link fails if the name is taken, and the file appears whole.
      await link(temporary, name);
      return name;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }
  throw new Error('No name is free.');
};
