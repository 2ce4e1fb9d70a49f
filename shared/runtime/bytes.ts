/** A stream of bytes in pieces of any size. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Cuts a stream into blocks of `size` bytes; the last one may be shorter, and none is empty. */
export async function* blocksOf(source: Bytes, size: number): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  try {
    for (;;) {
      const block = await reader.upTo(size);
      if (block.length === 0) return;
      yield block;
    }
  } finally {
    await reader.close();
  }
}

/** Reads exact numbers of bytes from a stream of pieces. */
export interface ByteReader {
  /** The next `size` bytes; `undefined` when the stream ends earlier. */
  read(size: number): Promise<Buffer | undefined>;
  /** The next `size` bytes, fewer only at the end. */
  upTo(size: number): Promise<Buffer>;
  /** Ends the stream, whose rest nobody reads: otherwise its connection stays open. */
  close(): Promise<void>;
}

/** A reader over a stream. It holds only the requested bytes and one piece of the stream. */
export const byteReader = (source: Bytes): ByteReader => {
  const pieces = iterate(source);
  let rest: Buffer = Buffer.alloc(0);
  const upTo = async (size: number): Promise<Buffer> => {
    const taken: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await pieces.next();
        if (next.done) break;
        rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      }
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      taken.push(piece);
      missing -= piece.length;
    }
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  };
  return {
    upTo,
    close: async () => {
      await pieces.return();
    },
    read: async (size) => {
      const block = await upTo(size);
      return block.length < size ? undefined : block;
    },
  };
};

async function* iterate(source: Bytes): AsyncGenerator<Uint8Array, void> {
  yield* source;
}

/** Collects a stream into one piece. Only for streams that are known to be small. */
export const gather = async (source: Bytes): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
};
