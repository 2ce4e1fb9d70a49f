/** Checks the files that the user names, before a command does anything. */
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usageFailure } from '../failure.ts';

/** The size of a file of the user, in bytes. Throws a usage failure for a folder, and for a file without content. */
export const filledSize = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (found.isDirectory()) throw usageFailure(`${path} is a folder, not a file.`);
  // A pipe has no size.
  if (found.isFile() && found.size === 0) throw usageFailure(`The file ${path} is empty.`);
  return found.size;
};

/**
 * The content of a file of the user. Throws a usage failure for a folder, and for a file without content: an empty key
 * would switch encryption off.
 */
export const readFilled = async (path: string): Promise<Uint8Array> => {
  await filledSize(path);
  return readFile(path);
};

/**
 * Throws a usage failure unless a new file can have this path. A command asks before it does anything, so that nothing is
 * left behind when the path is wrong.
 */
export const requireNew = async (path: string): Promise<void> => {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw usageFailure(`There is no folder ${folder}.`);
  const isTaken = await access(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw usageFailure(`The file ${path} exists already; choose another name.`);
};
