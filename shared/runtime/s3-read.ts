/** S3 read: streams one version of an object and resumes a broken stream behind the last byte. */
import * as v from 'valibot';
import { isStatus, UnavailableError } from './aws-errors.ts';
import { jitteredPause } from './pause.ts';
import { ObjectChangedError } from './ports.ts';
import type { ObjectCalls, WantedRange } from './s3-calls.ts';

/** Consecutive breaks of a stream without a byte delivered before the read fails. */
const BARREN_TRIES = 5;

const chunks = v.custom<AsyncIterable<unknown>>(
  (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
);

/**
 * Streams a range of one version of an object. A stream that breaks or ends short is resumed by range behind
 * the last delivered byte, so no byte is skipped or doubled.
 */
export async function* readObject(
  calls: Pick<ObjectCalls, 'open'>,
  key: string,
  wanted: WantedRange,
): AsyncGenerator<Uint8Array> {
  let position = wanted.from ?? 0;
  let end: number | undefined = wanted.to === undefined ? undefined : wanted.to + 1;
  for (let barren = 0; end === undefined || position < end; barren += 1) {
    if (barren === BARREN_TRIES) throw new UnavailableError('s3: an object could not be read to its end');
    if (barren > 0) await jitteredPause(barren);
    const opened = await open(calls, key, {
      etag: wanted.etag,
      from: position,
      to: end === undefined ? undefined : end - 1,
    });
    if (!opened) return;
    end = position + opened.length;
    for await (const chunk of untilBroken(opened.body)) {
      position += chunk.byteLength;
      barren = 0;
      yield chunk;
    }
  }
}

/** Opens the object at a position; `undefined` when the object ends there. */
const open = async (
  calls: Pick<ObjectCalls, 'open'>,
  key: string,
  wanted: WantedRange,
): Promise<{ body: AsyncIterable<unknown>; length: number } | undefined> => {
  try {
    const { body, length } = await calls.open(key, wanted);
    return { body: v.parse(chunks, body), length };
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
