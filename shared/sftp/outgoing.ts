/** Names of files during a push: a temporary name until a rename, or the final name from the first byte on. */
export const temporaryNames = ['rename', 'none'] as const;

/** Checks of a file that was written: its size, or none for a server on which nobody may look at files. */
export const verifications = ['size', 'none'] as const;

/** How a server takes files. */
export interface PutWay {
  readonly temporaryName: (typeof temporaryNames)[number];
  readonly verify: (typeof verifications)[number];
}

/** A file to put on a server. */
export interface OutgoingUpload {
  /** Name without a path. */
  readonly name: string;
  /** Directory of the file, with `/` between its levels; `null` for the home directory of the user. */
  readonly directory: string | null;
  readonly bytes: number;
  /** Hash of the content: an attempt continues the file of an earlier attempt only for the same content. */
  readonly sha256: string;
  /** The bytes `from`..`to` (exclusive; to the end when absent). */
  read(from: number, to?: number): AsyncIterable<Uint8Array>;
  /** Whether a newer file has the name. Asked before this file gets its name, because it would replace that file. */
  isSuperseded(): Promise<boolean>;
}

/**
 * Bytes of one write. Together with the header (25 bytes, and the handle of at most 256 bytes) they fill one packet of
 * 32,768 bytes, the largest packet that every server accepts. A larger write would need two packets, each encrypted and
 * sent by itself.
 */
export const BLOCK_BYTES = 32_256;

/** Concurrent requests: with a round trip of 40 ms they reach 50 MB/s. */
export const REQUESTS_AT_ONCE = 64;

/** The failure of a request as an error. */
export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('a request failed');
