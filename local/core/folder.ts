import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the folders above it. Throws the system's error where it cannot. Node's own recursive call never
 * returns below `/proc`, where the parent exists and refuses every new folder with ENOENT.
 */
export const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made the folder meanwhile.
    if (!existsSync(folder)) throw error;
  }
};

/** Readable and writable by its owner alone: for files with secrets. */
export const OWNER_ONLY = 0o600;

/**
 * Replaces a file by a text, and makes its folder. A process that dies meanwhile leaves the file as it was. `mode` has the
 * permissions of the file.
 */
export const replaceFile = (file: string, text: string, mode?: number): void => {
  makeFolder(dirname(file));
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode });
  renameSync(fresh, file);
};
