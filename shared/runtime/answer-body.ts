import { Readable } from 'node:stream';
import { streamCollector } from '@smithy/node-http-handler';
import * as v from 'valibot';

const stream = v.instance(Readable);

/** The bytes of an answer, read to their end. */
export const answerBytes = async (body: unknown): Promise<Uint8Array> => {
  if (body === undefined) return new Uint8Array();
  return body instanceof Uint8Array ? body : streamCollector(v.parse(stream, body));
};

/** The text of an answer. */
export const answerText = async (body: unknown): Promise<string> => {
  const { buffer, byteOffset, byteLength } = await answerBytes(body);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
};
