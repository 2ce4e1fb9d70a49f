/** Sealed frames: encrypts the intermediate files of an export. */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { blocksOf, byteReader, type ByteReader } from '../../runtime/bytes.ts';

/**
 * The format of a sealed file: AES-256-GCM in frames. Files can be streamed both ways, and
 * nobody can cut off, repeat, move or replace a frame unnoticed.
 *
 *     file  = "TMF1" salt(32) frame*
 *     frame = word(4) ciphertext tag(16)      word = length of the ciphertext, its top bit set on the last frame
 *
 * Each file has its own key: HKDF-SHA256(data key, salt, context). The nonce has the number of the frame and the mark
 * of the last frame; the word is authenticated with the frame.
 */
export interface Seal {
  /** 256-bit key of the job. */
  readonly dataKey: Uint8Array;
  /** Identifies the file by ids. A file does not open under another context. */
  readonly context: string;
}

/** The sealed file is truncated or changed, or has another context or key. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/** Plain bytes in a frame: large enough for the cipher's speed, small enough for memory. */
const FRAME_BYTES = 128 * 1024;
const MAGIC = Buffer.from('TMF1');
/** Bytes of the salt of a file. */
export const SALT_BYTES = 32;
const TAG_BYTES = 16;
const LAST = 0x8000_0000;

/** Seals a stream. Each file needs a `salt` of `SALT_BYTES` fresh random bytes. */
export async function* seal(
  { dataKey, context }: Seal,
  salt: Uint8Array,
  plain: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const key = fileKey(dataKey, salt, context);
  yield Buffer.concat([MAGIC, salt]);
  let counter = 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const block of blocksOf(plain, FRAME_BYTES)) {
    if (counter > 0 || held.length > 0) yield sealFrame(key, counter++, held, false);
    held = block;
  }
  yield sealFrame(key, counter, held, true);
}

/** Opens a sealed stream. Throws `SealBrokenError` before it yields any byte of a damaged frame. */
export async function* open(
  { dataKey, context }: Seal,
  sealed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = byteReader(sealed);
  try {
    const head = await reader.read(MAGIC.length + SALT_BYTES);
    if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealBrokenError('not a sealed file');
    yield* openFrames(reader, fileKey(dataKey, head.subarray(MAGIC.length), context));
  } finally {
    await reader.close();
  }
}

async function* openFrames(reader: ByteReader, key: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let counter = 0, last = false; !last; counter += 1) {
    const word = await reader.read(4);
    if (!word) throw new SealBrokenError('the file ends early');
    last = word.readUInt32BE() >= LAST;
    const length = word.readUInt32BE() % LAST;
    const frame = length > FRAME_BYTES ? undefined : await reader.read(length + TAG_BYTES);
    if (!frame) throw new SealBrokenError('the file ends early');
    yield openFrame(key, nonceOf(counter, last), word, frame);
  }
  if (await reader.read(1)) throw new SealBrokenError('there is more after the last frame');
}

const fileKey = (dataKey: Uint8Array, salt: Uint8Array, context: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', dataKey, salt, `tidemark/export-part/1|${context}`, 32));

const nonceOf = (counter: number, last: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(counter, 4);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
};

const sealFrame = (key: Uint8Array, counter: number, plain: Uint8Array, last: boolean): Buffer => {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(plain.length + (last ? LAST : 0));
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(counter, last));
  cipher.setAAD(word);
  return Buffer.concat([word, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

const openFrame = (key: Uint8Array, nonce: Buffer, word: Buffer, frame: Buffer): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAAD(word);
  decipher.setAuthTag(frame.subarray(-TAG_BYTES));
  const plain = decipher.update(frame.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    throw new SealBrokenError('a frame does not open');
  }
  return plain;
};
