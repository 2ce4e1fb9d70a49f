import { limits } from '../config/limits.ts';
import { blocksOf } from '../runtime/bytes.ts';
import { asError, BLOCK_BYTES, type OutgoingUpload, REQUESTS_AT_ONCE } from './outgoing.ts';
import { SftpFailedError, type SftpRequests } from './requests.ts';

/**
 * How an attempt took what an earlier attempt had left on the server: it compared all of it (`whole`), or its end and samples
 * (`sampled`), or it found a difference, or could not read it, and sends the file again (`from_start`).
 */
export const readBackWays = ['whole', 'sampled', 'from_start'] as const;
export type ReadBack = (typeof readBackWays)[number];

/** Bytes `from`..`to` (exclusive) of a file. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * The pieces of the first `bytes` bytes of a file, each once, in the order in which they are compared: the end from its last
 * piece on, then all others. Wherever time runs out, the others compared so far lie evenly over the file; `random` (0 to 1)
 * chooses which come first, so that each attempt compares other pieces.
 */
export const piecesOf = (bytes: number, random: number): Piece[] => {
  const { pushPieceBytes, pushEndPieces } = limits.exports;
  const places = Array.from({ length: Math.ceil(bytes / pushPieceBytes) }, (_, place) => place);
  const end = places.splice(-pushEndPieces).toReversed();
  // Multiples of the golden ratio: the places whose turn lies below any bound leave no large gap.
  const turnOf = (place: number): number => (place * GOLDEN + random) % 1;
  const others = places.toSorted((one, other) => turnOf(one) - turnOf(other));
  return [...end, ...others].map((place) => ({
    from: place * pushPieceBytes,
    to: Math.min(bytes, (place + 1) * pushPieceBytes),
  }));
};

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** What lies on the server, and how long to look at it. */
interface Left {
  readonly file: OutgoingUpload;
  /** So many bytes from the start are to be continued. */
  readonly bytes: number;
  /** See `piecesOf`. */
  readonly random: number;
  /** Whether the time for reading back is up. */
  readonly isLate: () => boolean;
}

/** Compares what lies on the server with the file, as far as time allows. Throws `SftpFailedError` when the connection breaks. */
export const readBack = async (
  sftp: SftpRequests,
  path: string,
  { file, bytes, random, isLate }: Left,
): Promise<ReadBack> => {
  const handle = await sftp.open(path, 'r').catch(notShown);
  if (handle instanceof Error) throw handle;
  if (handle === false) return 'from_start';
  // Each read is settled by its outcome at once: a read that fails while an older one is awaited must not go unhandled.
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

/** What a server refuses to show counts as changed (`false`). A connection that broke is an error. */
const notShown = (error: unknown): false | Error =>
  error instanceof SftpFailedError && error.code !== undefined ? false : asError(error);
