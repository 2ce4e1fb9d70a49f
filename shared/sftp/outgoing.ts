/** A file to put on a server. */
export interface OutgoingUpload {
  /** Its name, below the directory one is in after logging in. Made from ids: no user text. */
  readonly name: string;
  readonly bytes: number;
  /** Hash of its content: what an earlier attempt left behind is only continued for the same content. */
  readonly sha256: string;
  /** Its bytes `from`..`to` (exclusive; to its end when absent). */
  read(from: number, to?: number): AsyncIterable<Uint8Array>;
}

/**
 * Bytes of one write: with what goes before them (25 bytes and the handle, which has 256 at most) they fill one packet of
 * 32,768, the most that every server takes. A little more would make two packets, each encrypted and sent for itself.
 */
export const BLOCK_BYTES = 32_256;

/** Requests under way at once: at 40 ms to the server and back they make 50 MB/s. */
export const REQUESTS_AT_ONCE = 64;

/** What a request failed with, as an error. */
export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('a request failed');
