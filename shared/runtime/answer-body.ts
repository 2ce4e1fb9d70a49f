/** Answer bodies: reads the text of an answer to its end. */
import { Readable } from 'node:stream';
import * as v from 'valibot';

const stream = v.instance(Readable);

/** Events take a third of the time of a pipe or a loop, and most answers are one chunk. */
const read = (body: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    body.once('end', () => {
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    body.once('error', reject);
  });

/** The text of an answer, read to its end. Throws when the connection breaks before. */
export const answerText = async (body: unknown): Promise<string> => {
  if (body === undefined) return '';
  const { buffer, byteOffset, byteLength } =
    body instanceof Uint8Array ? body : await read(v.parse(stream, body));
  return Buffer.from(buffer, byteOffset, byteLength).toString();
};
