import type { IncomingMessage } from 'node:http';

/** Bytes of an unused body that are read, so that the connection ends cleanly. */
const ANSWER_BYTES = 16_384;

/** Time to read an unused body, once the status is known. */
const ANSWER_MS = 2_000;

/** Reads the body of an answer, unless it is larger than `most`. Throws when the connection breaks. */
export const keep = async (response: IncomingMessage, most: number): Promise<{ readonly body?: Buffer }> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > most) return {};
      chunks.push(chunk);
    }
    return { body: Buffer.concat(chunks) };
  } finally {
    response.destroy();
  }
};

/** Reads a part of an unused body, for a bounded time, and closes the connection. */
export const dispose = async (response: IncomingMessage): Promise<void> => {
  const timer = setTimeout(() => response.destroy(), ANSWER_MS);
  let read = 0;
  try {
    for await (const chunk of response) {
      read += Buffer.isBuffer(chunk) ? chunk.length : ANSWER_BYTES;
      if (read >= ANSWER_BYTES) break;
    }
  } catch {
    // The status is known; errors in the rest change nothing.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
};
