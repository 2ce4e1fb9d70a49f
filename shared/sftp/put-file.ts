/** Put file: writes a file to a server so that interrupted pushes continue and no partial file gets the final name. */
import { limits } from '../config/limits.ts';
import { blocksOf } from '../runtime/bytes.ts';
import type { Clock } from '../runtime/clock.ts';
import { asError, BLOCK_BYTES, type OutgoingUpload, REQUESTS_AT_ONCE } from './outgoing.ts';
import { openIn, pathIn } from './directories.ts';
import { type ReadBack, readBack } from './read-back.ts';
import { SftpFailedError, type SftpRequests } from './requests.ts';

/** The end of a truncated file may have holes of up to this size, because concurrent writes arrive in any order. */
const WINDOW_BYTES = 32_768 * REQUESTS_AT_ONCE;

/** The server accepted every write, but the file has another size. */
export class FileCutError extends Error {
  override readonly name = 'FileCutError';
}

/** `paused`: the time was over; the next attempt continues. `superseded`: a newer file has the name. */
export type PutOutcome = 'sent' | 'paused' | 'superseded';

/** The path of a file during the push. */
const temporaryPath = ({ directory, name, sha256 }: OutgoingUpload): string =>
  pathIn(directory, `.${name}.${sha256.slice(0, 16)}.part`);

/** The clock and randomness of an attempt, and a listener. */
export interface Attempt {
  readonly clock: Clock;
  /** The end of the attempt (epoch milliseconds). */
  readonly until: number;
  /** A number from 0 to 1: see `piecesOf`. */
  readonly random: () => number;
  /** Called with the way in which the attempt checked the file of an earlier attempt; not called without such a file. */
  readonly onReadBack: (way: ReadBack) => void;
}

/**
 * Puts a file on a server under a temporary name, checks its size and renames it, so the final name never holds a
 * partial file. An attempt continues the file of an earlier attempt. It reads that file back first, because other users
 * of the server may have changed it. Reading back has a share of the attempt's time, so every attempt also writes.
 * A missing directory is made. A superseded file is removed. Throws `SftpFailedError`, `FileCutError`, or an error of
 * `isSuperseded`.
 */
export const putFile = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  attempt: Attempt,
): Promise<PutOutcome> => {
  const temporary = temporaryPath(file);
  const from = await soundBytes(sftp, file, attempt);
  const isLate = (): boolean => attempt.clock() >= attempt.until;
  const handle = await openIn(sftp, file.directory, { path: temporary, flags: from === 0 ? 'w' : 'r+' });
  const outcome = await writeAll(sftp, handle, { file, from, isLate }).catch(async (error: unknown) => {
    // A server that refuses a write may be full. After a broken connection, the file stays for the next attempt.
    if (error instanceof SftpFailedError && error.code !== undefined)
      await sftp.remove(temporary).catch(none);
    throw error;
  });
  await sftp.close(handle);
  if (outcome === 'paused') return 'paused';
  const stored = await sftp.sizeOf(temporary);
  if (stored !== file.bytes) {
    await sftp.remove(temporary);
    throw new FileCutError(`the server kept ${stored ?? 0} of ${file.bytes} bytes`);
  }
  if (await file.isSuperseded()) {
    await sftp.remove(temporary);
    return 'superseded';
  }
  await giveName(sftp, temporary, pathIn(file.directory, file.name));
  return 'sent';
};

/** The offset from which this attempt continues the file of an earlier attempt; 0 to send the whole file. */
const soundBytes = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  { clock, until, random, onReadBack }: Attempt,
): Promise<number> => {
  const temporary = temporaryPath(file);
  const there = (await sftp.sizeOf(temporary)) ?? 0;
  const bytes = there > file.bytes ? 0 : Math.max(0, there - WINDOW_BYTES);
  if (bytes === 0) return 0;
  const started = clock();
  const end = started + (until - started) * limits.exports.pushReadBackShare;
  const way = await readBack(sftp, temporary, {
    file,
    bytes,
    random: random(),
    isLate: () => clock() >= end,
  });
  onReadBack(way);
  return way === 'from_start' ? 0 : bytes;
};

const writeAll = async (
  sftp: SftpRequests,
  handle: Buffer,
  { file, from, isLate }: { file: OutgoingUpload; from: number; isLate: () => boolean },
): Promise<PutOutcome> => {
  // Each write resolves to its error, so a write that fails while an older write is awaited is not an unhandled rejection.
  const underWay: Promise<Error | undefined>[] = [];
  const settleOldest = async (): Promise<void> => {
    const failure = await underWay.shift();
    if (failure) throw failure;
  };
  let at = from;
  let late = false;
  for await (const block of blocksOf(file.read(from), BLOCK_BYTES)) {
    // Awaiting the oldest write first keeps all concurrent writes within one window of the file.
    if (underWay.length >= REQUESTS_AT_ONCE) await settleOldest();
    late = isLate();
    if (late) break;
    underWay.push(sftp.write(handle, block, at).then(none, asError));
    at += block.length;
  }
  while (underWay.length > 0) await settleOldest();
  return late ? 'paused' : 'sent';
};

const none = (): undefined => undefined;

/** Renames a file, and replaces an older file with the name. */
const giveName = async (sftp: SftpRequests, from: string, to: string): Promise<void> => {
  try {
    await sftp.replace(from, to);
  } catch {
    const taken = (await sftp.sizeOf(to)) !== undefined;
    if (taken) await sftp.remove(to);
    await sftp.rename(from, to);
  }
};
