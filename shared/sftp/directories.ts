/** Directories: paths on the server of a client, and files in directories that may not exist yet. */
import { NO_SUCH_FILE, SftpFailedError, type SftpRequests } from './requests.ts';

/** The path of a file in a directory; `null` is the home directory of the user. */
export const pathIn = (directory: string | null, name: string): string => {
  if (directory === null) return name;
  return directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`;
};

/**
 * Opens a file. Where its directory does not exist, makes each level of the directory first. Throws `SftpFailedError`.
 */
export const openIn = async (
  sftp: Pick<SftpRequests, 'open' | 'makeDirectory'>,
  directory: string | null,
  { path, flags }: { readonly path: string; readonly flags: 'w' | 'r+' },
): Promise<Buffer> => {
  try {
    return await sftp.open(path, flags);
  } catch (error) {
    const isMissing = error instanceof SftpFailedError && error.code === NO_SUCH_FILE;
    if (directory === null || !isMissing) throw error;
  }
  for (const level of levelsOf(directory)) await makeLevel(sftp, level);
  return sftp.open(path, flags);
};

/** The directory with all directories above it, the outermost first. */
const levelsOf = (directory: string): readonly string[] =>
  [...directory.matchAll(/[^/]+/g)].map(({ 0: level, index }) => directory.slice(0, index + level.length));

/**
 * Makes one level. A level that exists, or that the server does not let the user see, is refused: the file that is
 * opened next shows whether the directory is there.
 */
const makeLevel = async (sftp: Pick<SftpRequests, 'makeDirectory'>, level: string): Promise<void> => {
  try {
    await sftp.makeDirectory(level);
  } catch (error) {
    if (!(error instanceof SftpFailedError) || error.code === undefined) throw error;
  }
};
