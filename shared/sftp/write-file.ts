/** Write file: writes the bytes of a file to an open handle, many requests at a time. */
import { blocksOf } from '../runtime/bytes.ts';
import { asError, BLOCK_BYTES, type OutgoingUpload, REQUESTS_AT_ONCE } from './outgoing.ts';
import type { SftpRequests } from './requests.ts';

interface Writing {
  readonly file: OutgoingUpload;
  /** The offset of the first byte to write. */
  readonly from: number;
  /** Whether the time of the attempt is over. */
  readonly isLate: () => boolean;
}

/** Writes a file to its end, or as far as the time reaches (`late`). Throws the first failure of a write. */
export const writeFile = async (
  sftp: SftpRequests,
  handle: Buffer,
  { file, from, isLate }: Writing,
): Promise<'whole' | 'late'> => {
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
  return late ? 'late' : 'whole';
};

const none = (): undefined => undefined;
