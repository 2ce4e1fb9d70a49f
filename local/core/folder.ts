import { existsSync, mkdirSync } from 'node:fs';
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
