/** Answer bodies: reads the body of an answer to its end. */
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

/** The bytes of an answer, read to their end. Throws when the connection breaks before. */
export const answerBytes = async (body: unknown): Promise<Uint8Array> => {
  if (body === undefined) return new Uint8Array();
  return body instanceof Uint8Array ? body : read(v.parse(stream, body));
};

/** The text of an answer. */
export const answerText = async (body: unknown): Promise<string> => {
  const { buffer, byteOffset, byteLength } = await answerBytes(body);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
};
