/** Put file: writes a file to a server so that interrupted pushes continue and no partial file gets the final name. */
import type { Attempt } from './attempt.ts';
import { openIn, pathIn } from './directories.ts';
import { FileTakenError, giveName, olderPath, restoreOlder } from './give-name.ts';
import type { OutgoingUpload } from './outgoing.ts';
import { refusalOf, SftpFailedError, type SftpRequests } from './requests.ts';
import { openTemporary } from './temporary-file.ts';
import { writeFile } from './write-file.ts';

/** The server accepted every write, but the file has another size; or the time was over, and no later attempt can continue. */
export class FileCutError extends Error {
  override readonly name = 'FileCutError';
}

/**
 * `taken`: the file was gone once it was closed under its final name. `older_left`: the file has its name, and the
 * older file stays beside it under the name of `olderPath`. `paused`: the time was over; the next attempt continues.
 * `superseded`: a newer file has the name.
 */
export type PutOutcome = 'sent' | 'taken' | 'older_left' | 'paused' | 'superseded';

/**
 * Puts a file on a server under a temporary name, checks its size and renames it, so the final name never holds a
 * partial file. An attempt continues the file of an earlier attempt. It reads that file back first, because other users
 * of the server may have changed it. Reading back has a share of the attempt's time, so every attempt also writes.
 * A missing directory is made. A superseded file is removed. Throws `SftpFailedError`, `FileCutError`,
 * `FileTakenError`, or an error of `isSuperseded`.
 */
export const putFile = (sftp: SftpRequests, file: OutgoingUpload, attempt: Attempt): Promise<PutOutcome> =>
  attempt.way.temporaryName === 'none' ? putInPlace(sftp, file, attempt) : putAndRename(sftp, file, attempt);

const putAndRename = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  attempt: Attempt,
): Promise<PutOutcome> => {
  const looks = attempt.way.verify !== 'none';
  if (looks) {
    attempt.onStep('look');
    await restoreOlder(sftp, file);
  }
  const temporary = await openTemporary(sftp, file, attempt);
  const { path } = temporary;
  if ((await writeOpen(sftp, file, attempt, temporary)) === 'paused') return 'paused';
  if (looks) {
    attempt.onStep('verify');
    if ((await keptBytes(sftp, path, file)) === 'gone') throw new FileTakenError();
  }
  if (await file.isSuperseded()) {
    await refusalOf(sftp.remove(path));
    return 'superseded';
  }
  attempt.onStep('rename');
  const to = pathIn(file.directory, file.name);
  const named = await giveName(sftp, { from: path, to, aside: looks ? olderPath(file) : undefined });
  return named === 'named' ? 'sent' : named;
};

/** Writes a file under its final name from its first byte on, for servers that refuse renames or take files at once. */
const putInPlace = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  attempt: Attempt,
): Promise<PutOutcome> => {
  const path = pathIn(file.directory, file.name);
  const looks = attempt.way.verify !== 'none';
  if (looks) {
    // A look that is refused only after the file was written would leave a copy at each attempt.
    attempt.onStep('look');
    await sftp.sizeOf(path);
  }
  if (await file.isSuperseded()) return 'superseded';
  attempt.onStep('write');
  const handle = await openIn(sftp, file.directory, { path, flags: 'w' });
  await writeOpen(sftp, file, attempt, { path, handle, from: 0, mayContinue: false });
  if (!looks) return 'sent';
  attempt.onStep('verify');
  return (await keptBytes(sftp, path, file)) === 'gone' ? 'taken' : 'sent';
};

interface OpenFile {
  readonly path: string;
  readonly handle: Buffer;
  readonly from: number;
  readonly mayContinue: boolean;
}

/** Writes an open file and closes it. */
const writeOpen = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  { clock, until }: Attempt,
  { path, handle, from, mayContinue }: OpenFile,
): Promise<'whole' | 'paused'> => {
  try {
    const end = await writeFile(sftp, handle, { file, from, isLate: () => clock() >= until });
    await sftp.close(handle);
    if (end === 'whole') return end;
  } catch (error) {
    // A server that refuses a write may be full. After a broken connection, the file stays for the next attempt.
    if (error instanceof SftpFailedError && error.code !== undefined) await refusalOf(sftp.remove(path));
    throw error;
  }
  if (mayContinue) return 'paused';
  await refusalOf(sftp.remove(path));
  throw new FileCutError('the file takes longer than one attempt, and no attempt can continue it there');
};

/** Looks whether the server kept all bytes of a file. Removes a file of another size. */
const keptBytes = async (
  sftp: SftpRequests,
  path: string,
  { bytes }: OutgoingUpload,
): Promise<'kept' | 'gone'> => {
  const stored = await sftp.sizeOf(path);
  if (stored === undefined) return 'gone';
  if (stored === bytes) return 'kept';
  await refusalOf(sftp.remove(path));
  throw new FileCutError(`the server kept ${stored} of ${bytes} bytes`);
};
