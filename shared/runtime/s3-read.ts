/** S3 read: streams one version of an object and resumes a broken stream behind the last byte. */
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { isStatus, UnavailableError } from './aws-errors.ts';
import { jitteredPause } from './pause.ts';
import { ObjectChangedError } from './ports.ts';

interface Where {
  readonly Bucket: string;
  readonly Key: string;
}
interface Wanted {
  readonly etag: string;
  readonly from?: number;
  readonly to?: number;
}

/** Consecutive breaks of a stream without a byte delivered before the read fails. */
const BARREN_TRIES = 5;

const chunks = v.custom<AsyncIterable<unknown>>(
  (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
);

/**
 * Streams a range of one version of an object. A stream that breaks or ends short is resumed by range behind
 * the last delivered byte, so no byte is skipped or doubled.
 */
export async function* readObject(s3: S3Client, where: Where, wanted: Wanted): AsyncGenerator<Uint8Array> {
  let position = wanted.from ?? 0;
  let end: number | undefined = wanted.to === undefined ? undefined : wanted.to + 1;
  for (let barren = 0; end === undefined || position < end; barren += 1) {
    if (barren === BARREN_TRIES) throw new UnavailableError('s3: an object could not be read to its end');
    if (barren > 0) await jitteredPause(barren);
    const opened = await open(s3, where, wanted.etag, { position, end });
    if (!opened) return;
    end = opened.end;
    for await (const chunk of untilBroken(opened.body)) {
      position += chunk.byteLength;
      barren = 0;
      yield chunk;
    }
  }
}

/** Opens the object at a position; `undefined` when the object ends there. */
const open = async (
  s3: S3Client,
  where: Where,
  etag: string,
  { position, end }: { position: number; end: number | undefined },
): Promise<{ body: AsyncIterable<unknown>; end: number } | undefined> => {
  const whole = position === 0 && end === undefined;
  const range = whole ? {} : { Range: `bytes=${position}-${end === undefined ? '' : end - 1}` };
  try {
    const answer = await s3.send(new GetObjectCommand({ ...where, IfMatch: etag, ...range }));
    const length = answer.ContentLength ?? 0;
    return { body: v.parse(chunks, answer.Body), end: position + length };
  } catch (error) {
    if (isStatus(error, 416)) return undefined;
    if (isStatus(error, 412) || isStatus(error, 404)) throw new ObjectChangedError('the object changed');
    throw error;
  }
};

/** The chunks of a stream up to its end or to the break of the connection. */
async function* untilBroken(body: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await iterator.next().catch(() => ({ done: true, value: undefined }));
      if (step.done === true) return;
      yield v.parse(v.instance(Uint8Array), step.value);
    }
  } finally {
    await iterator.return?.();
  }
}
