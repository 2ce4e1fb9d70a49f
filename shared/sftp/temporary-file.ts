/** Temporary file: opens the file of a push under a temporary name, and continues the file of an earlier attempt. */
import { limits } from '../config/limits.ts';
import type { Attempt } from './attempt.ts';
import { openIn, pathIn } from './directories.ts';
import { type OutgoingUpload, REQUESTS_AT_ONCE } from './outgoing.ts';
import { readBack } from './read-back.ts';
import { NO_SUCH_FILE, refusalOf, SftpFailedError, type SftpRequests } from './requests.ts';

/** The end of a truncated file may have holes of up to this size, because concurrent writes arrive in any order. */
const WINDOW_BYTES = 32_768 * REQUESTS_AT_ONCE;

/** Most files of interrupted attempts that a server lets nobody continue, write over or remove. */
const MOST_LEFT = 10;

/** The path of a file during the push. The second path and so on are for servers that keep the earlier ones. */
export const temporaryPath = ({ directory, name, sha256 }: OutgoingUpload, number = 1): string =>
  pathIn(directory, `.${name}.${sha256.slice(0, 16)}${number === 1 ? '' : `.${number}`}.part`);

/** An open file under a temporary name. */
export interface TemporaryFile {
  readonly path: string;
  readonly handle: Buffer;
  /** The offset from which this attempt continues the file of an earlier attempt; 0 to send the whole file. */
  readonly from: number;
  /** Whether a later attempt can continue the file. */
  readonly mayContinue: boolean;
}

/**
 * Opens the file of a push. Continues the file of an earlier attempt if its bytes are sound. Some servers refuse to open a
 * file for more bytes: AWS Transfer Family keeps objects, which only a whole new file replaces. There the push begins
 * anew: over the earlier file, or without it, or beside it under a further name. Throws `SftpFailedError`.
 */
export const openTemporary = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  attempt: Attempt,
): Promise<TemporaryFile> => {
  const looks = attempt.way.verify !== 'none';
  for (let number = 1; ; number += 1) {
    const path = temporaryPath(file, number);
    const left = looks ? await sftp.sizeOf(path) : undefined;
    const from = left === undefined ? 0 : await soundBytes(sftp, { path, left }, file, attempt);
    attempt.onStep('write');
    const opened = await openOrRefusal(sftp, file, path, from === 0 ? 'w' : 'r+');
    if (Buffer.isBuffer(opened)) return { path, handle: opened, from, mayContinue: looks };
    // Nothing is in the way, so no other name would help.
    if ((looks && left === undefined) || number === MOST_LEFT) throw opened;
    if (from > 0) {
      attempt.onReadBack('from_start');
      const over = await openOrRefusal(sftp, file, path, 'w');
      if (Buffer.isBuffer(over)) return { path, handle: over, from: 0, mayContinue: false };
    }
    const stays = await refusalOf(sftp.remove(path));
    if (stays?.code === NO_SUCH_FILE) throw opened;
    const anew = stays ?? (await openOrRefusal(sftp, file, path, 'w'));
    if (Buffer.isBuffer(anew)) return { path, handle: anew, from: 0, mayContinue: false };
  }
};

/** The open file, or the refusal of the server. Throws other errors, such as a broken connection. */
const openOrRefusal = async (
  sftp: SftpRequests,
  { directory }: OutgoingUpload,
  path: string,
  flags: 'w' | 'r+',
): Promise<Buffer | SftpFailedError> => {
  try {
    return await openIn(sftp, directory, { path, flags });
  } catch (error) {
    if (error instanceof SftpFailedError && error.code !== undefined) return error;
    throw error;
  }
};

/** How many bytes of an earlier attempt's file this attempt keeps. */
const soundBytes = async (
  sftp: SftpRequests,
  { path, left }: { readonly path: string; readonly left: number },
  file: OutgoingUpload,
  { clock, until, random, onReadBack }: Attempt,
): Promise<number> => {
  const bytes = left > file.bytes ? 0 : Math.max(0, left - WINDOW_BYTES);
  if (bytes === 0) return 0;
  const started = clock();
  const end = started + (until - started) * limits.exports.pushReadBackShare;
  const way = await readBack(sftp, path, {
    file,
    bytes,
    random: random(),
    isLate: () => clock() >= end,
  });
  onReadBack(way);
  return way === 'from_start' ? 0 : bytes;
};
