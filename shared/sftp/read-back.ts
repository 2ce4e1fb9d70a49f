/** Read back: compares the file of an earlier attempt on the server with the file to push. */
import { limits } from '../config/limits.ts';
import { blocksOf } from '../runtime/bytes.ts';
import { asError, BLOCK_BYTES, type OutgoingUpload, REQUESTS_AT_ONCE } from './outgoing.ts';
import { SftpFailedError, type SftpRequests } from './requests.ts';

/**
 * Ways to check the file of an earlier attempt on the server: the attempt compared all bytes (`whole`), or the end and
 * samples (`sampled`); or it found a difference or could not read the file, and sends it again (`from_start`).
 */
export const readBackWays = ['whole', 'sampled', 'from_start'] as const;
export type ReadBack = (typeof readBackWays)[number];

/** Bytes `from`..`to` (exclusive) of a file. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * The pieces of the first `bytes` bytes of a file, each once, in the order of comparison: the end backwards from its
 * last piece, then all other pieces. Whenever the time is over, the compared pieces are spread evenly over the file.
 * `random` (0 to 1) selects the first pieces, so each attempt compares other pieces.
 */
export const piecesOf = (bytes: number, random: number): Piece[] => {
  const { pushPieceBytes, pushEndPieces } = limits.exports;
  const places = Array.from({ length: Math.ceil(bytes / pushPieceBytes) }, (_, place) => place);
  const end = places.splice(-pushEndPieces).toReversed();
  // Ranks are multiples of the golden ratio: the places with a rank below any bound leave no large gap.
  const rankOf = (place: number): number => (place * GOLDEN + random) % 1;
  const others = places.toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...end, ...others].map((place) => ({
    from: place * pushPieceBytes,
    to: Math.min(bytes, (place + 1) * pushPieceBytes),
  }));
};

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The file of an earlier attempt, and the time to compare it. */
interface EarlierFile {
  readonly file: OutgoingUpload;
  /** The number of bytes from the start that the attempt wants to keep. */
  readonly bytes: number;
  /** See `piecesOf`. */
  readonly random: number;
  /** Whether the time for reading back is over. */
  readonly isLate: () => boolean;
}

/**
 * Compares the file on the server with the file to push, as far as time allows. Throws `SftpFailedError` when the
 * connection breaks.
 */
export const readBack = async (
  sftp: SftpRequests,
  path: string,
  { file, bytes, random, isLate }: EarlierFile,
): Promise<ReadBack> => {
  const handle = await sftp.open(path, 'r').catch(notShown);
  if (handle instanceof Error) throw handle;
  if (handle === false) return 'from_start';
  // Each read resolves to its outcome or error, so a read that fails while an older read is awaited is not an unhandled rejection.
  const underWay: Promise<boolean | Error>[] = [];
  const settleOldest = async (): Promise<boolean> => {
    const outcome = (await underWay.shift()) ?? true;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  let [same, late] = [true, false];
  for await (const { at, block } of blocksIn(file, piecesOf(bytes, random))) {
    if (underWay.length >= REQUESTS_AT_ONCE) same = await settleOldest();
    late = isLate();
    if (!same || late) break;
    underWay.push(sftp.readAt(handle, at, block.length).then((got) => got.equals(block), notShown));
  }
  while (underWay.length > 0) same = (await settleOldest()) && same;
  await sftp.close(handle);
  if (!same) return 'from_start';
  return late ? 'sampled' : 'whole';
};

async function* blocksIn(
  file: OutgoingUpload,
  pieces: readonly Piece[],
): AsyncGenerator<{ readonly at: number; readonly block: Buffer }> {
  for (const { from, to } of pieces) {
    let at = from;
    for await (const block of blocksOf(file.read(from, to), BLOCK_BYTES)) {
      yield { at, block };
      at += block.length;
    }
  }
}

/** A read that the server refuses counts as a difference (`false`). A broken connection is an error. */
const notShown = (error: unknown): false | Error =>
  error instanceof SftpFailedError && error.code !== undefined ? false : asError(error);
