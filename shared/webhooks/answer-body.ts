import type { IncomingMessage } from 'node:http';

/** Bytes of an answer of no use that are read, to end the connection politely. */
const ANSWER_BYTES = 16_384;
/** Time that such a body has, once its status is known. */
const ANSWER_MS = 2_000;

/** Reads an answer's body, unless it is larger than `most`. Throws when it breaks off. */
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

/** Reads a little of an answer's body, for a little time, and hangs up. */
export const dispose = async (response: IncomingMessage): Promise<void> => {
  const timer = setTimeout(() => response.destroy(), ANSWER_MS);
  let read = 0;
  try {
    for await (const chunk of response) {
      read += Buffer.isBuffer(chunk) ? chunk.length : ANSWER_BYTES;
      if (read >= ANSWER_BYTES) break;
    }
  } catch {
    // The status has come; what becomes of the rest changes nothing.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
};
