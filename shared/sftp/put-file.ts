import { blocksOf } from '../exports/bytes.ts';
import { SftpFailedError, type SftpRequests } from './requests.ts';

/**
 * Bytes of one write: with what goes before them (25 bytes and the handle, which has 256 at most) they fill one packet of
 * 32,768, the most that every server takes. A little more would make two packets, each encrypted and sent for itself.
 */
const WRITE_BYTES = 32_256;
/** Writes under way at once: at 40 ms to the server and back they make 50 MB/s. */
const WRITES_AT_ONCE = 64;
/** The end of a file cut off may have holes: writes that were under way, fewer bytes than these, may have come in any order. */
const WINDOW_BYTES = 32_768 * WRITES_AT_ONCE;

/** A file to put on a server. */
export interface OutgoingUpload {
  /** Its name, below the directory one is in after logging in. Made from ids: no user text. */
  readonly name: string;
  readonly bytes: number;
  /** Hash of its content: what an earlier attempt left behind is only continued for the same content. */
  readonly sha256: string;
  read(from: number): AsyncIterable<Uint8Array>;
}

/** The server took every write, and yet has a file of another size. */
export class FileCutError extends Error {
  override readonly name = 'FileCutError';
}

/** `paused`: time was up, and the next attempt goes on where this one stopped. */
export type PutOutcome = 'sent' | 'paused';

/** The name under which a file grows. */
const temporaryName = ({ name, sha256 }: OutgoingUpload): string => `.${name}.${sha256.slice(0, 16)}.part`;

/**
 * Puts a file on a server under a temporary name, goes on where an earlier attempt was cut off, checks the size and gives it
 * its name: under that there is never a part of a file. What an earlier attempt left is read back first, because anybody on the
 * server may have changed it: where a byte differs, or nothing can be read, the file is sent from its start. `isLate` says when to stop for this time. Throws `SftpFailedError`, or
 * `FileCutError`.
 */
export const putFile = async (
  sftp: SftpRequests,
  file: OutgoingUpload,
  isLate: () => boolean,
): Promise<PutOutcome> => {
  const temporary = temporaryName(file);
  const there = (await sftp.sizeOf(temporary)) ?? 0;
  const sound = there > file.bytes ? 0 : Math.max(0, there - WINDOW_BYTES);
  const isIntact = sound > 0 && (await isAsSent(sftp, temporary, { file, bytes: sound, isLate }));
  if (isIntact === 'late') return 'paused';
  const from = isIntact ? sound : 0;
  const handle = await sftp.open(temporary, from === 0 ? 'w' : 'r+');
  const outcome = await writeAll(sftp, handle, { file, from, isLate }).catch(async (error: unknown) => {
    // A server that refuses a write may be full. One that is gone keeps what it has, to go on with.
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
  await giveName(sftp, temporary, file.name);
  return 'sent';
};

interface Left {
  readonly file: OutgoingUpload;
  /** So many bytes from the start are compared. */
  readonly bytes: number;
  readonly isLate: () => boolean;
}

/** Whether the start of what lies on the server is what was sent; `late` when time is up before that is known. */
const isAsSent = async (
  sftp: SftpRequests,
  path: string,
  { file, bytes, isLate }: Left,
): Promise<boolean | 'late'> => {
  const handle = await sftp.open(path, 'r').catch(refused);
  if (handle === undefined) return false;
  const underWay: Promise<boolean>[] = [];
  let [at, same, late] = [0, true, false];
  for await (const block of blocksOf(file.read(0), WRITE_BYTES)) {
    const wanted = block.subarray(0, bytes - at);
    late = isLate();
    if (!same || late || wanted.length === 0) break;
    const read = sftp.readAt(handle, at, wanted.length).catch(refused);
    underWay.push(read.then((got) => got?.equals(wanted) === true));
    at += wanted.length;
    if (underWay.length >= WRITES_AT_ONCE) same = (await underWay.shift()) === true;
  }
  const rest = await Promise.all(underWay);
  await sftp.close(handle);
  if (!same || rest.includes(false)) return false;
  return late ? 'late' : true;
};

/** What a server refuses to show counts as changed; a connection that broke is no answer. */
const refused = (error: unknown): undefined => {
  if (error instanceof SftpFailedError && error.code !== undefined) return undefined;
  throw error;
};

const writeAll = async (
  sftp: SftpRequests,
  handle: Buffer,
  { file, from, isLate }: { file: OutgoingUpload; from: number; isLate: () => boolean },
): Promise<PutOutcome> => {
  // Settled by outcome, so that one which fails while another is waited for goes nowhere unheard.
  const underWay: Promise<Error | undefined>[] = [];
  const settleOldest = async (): Promise<void> => {
    const failure = await underWay.shift();
    if (failure) throw failure;
  };
  let at = from;
  let late = false;
  for await (const block of blocksOf(file.read(from), WRITE_BYTES)) {
    // The oldest one first: what is under way lies within one window of the file.
    if (underWay.length >= WRITES_AT_ONCE) await settleOldest();
    late = isLate();
    if (late) break;
    underWay.push(sftp.write(handle, block, at).then(none, asError));
    at += block.length;
  }
  while (underWay.length > 0) await settleOldest();
  return late ? 'paused' : 'sent';
};

const none = (): undefined => undefined;
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('a write failed'));

/** Renames, over an older file of the name if need be. */
const giveName = async (sftp: SftpRequests, from: string, to: string): Promise<void> => {
  try {
    await sftp.replace(from, to);
  } catch {
    const taken = (await sftp.sizeOf(to)) !== undefined;
    if (taken) await sftp.remove(to);
    await sftp.rename(from, to);
  }
};
