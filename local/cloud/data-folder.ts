/** Data folder: claims the folder in which a service keeps its state. */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/folder.ts';

/** The folder cannot hold the state of this service; the message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Holds the id of the process that uses the folder. */
const MARK = 'process';

/** Only the owner may enter the folder: it keeps people. */
const PRIVATE = 0o700;

/** Makes the folder, which only its owner may enter. Throws DataFolderError when it is a file or cannot be written. */
export const makeDataFolder = (folder: string): void => {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory())
      throw new DataFolderError(`${folder} is a file, not a folder; choose another with --data.`);
    chmodSync(folder, PRIVATE);
    const probe = join(folder, `${MARK}.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new DataFolderError(
      `The folder ${folder} cannot be written${reason}; choose another with --data.`,
      {
        cause: error,
      },
    );
  }
};

/**
 * Runs `open`, which locks the database in the folder, and marks the folder with the id of this process. Throws
 * DataFolderError when another process has the lock.
 */
export const withDataFolder = async <T>(folder: string, open: () => Promise<T>): Promise<T> => {
  const mark = join(folder, MARK);
  try {
    const opened = await open();
    writeFileSync(mark, String(process.pid));
    return opened;
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new DataFolderError(
      `The folder ${folder} is used by another service${userOf(mark)}; stop it, or choose another folder with --data.`,
      { cause: error },
    );
  }
};

const userOf = (mark: string): string => {
  try {
    return ` (process ${Number(readFileSync(mark, 'utf8'))})`;
  } catch {
    return '';
  }
};

/** Whether an error of the database, or its cause, says that another process has the database open. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'LEVEL_LOCKED') || isLocked(error.cause));
