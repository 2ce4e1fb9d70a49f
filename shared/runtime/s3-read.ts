/** S3 read: streams one version of an object and resumes a broken stream behind the last byte. */
import * as v from 'valibot';
import { isStatus, UnavailableError } from './aws-errors.ts';
import { jitteredPause } from './pause.ts';
import { ObjectChangedError } from './ports.ts';
import { isChecksumMismatch, type ObjectCalls, type WantedRange } from './s3-objects.ts';

/** Consecutive breaks of a stream without a byte delivered before the read fails. */
const BARREN_TRIES = 5;

const chunks = v.custom<AsyncIterable<unknown>>(
  (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
);

/** Opens a range of an object. */
type OpenRange = (wanted: WantedRange) => ReturnType<ObjectCalls['open']>;

/**
 * Streams a range of one version of an object. A stream that breaks or ends short is resumed by range behind
 * the last delivered byte, so no byte is skipped or doubled. A whole object that came in one stream is checked against
 * its checksum.
 */
export async function* readObject(openRange: OpenRange, wanted: WantedRange): AsyncGenerator<Uint8Array> {
  let position = wanted.from ?? 0;
  let end: number | undefined = wanted.to === undefined ? undefined : wanted.to + 1;
  for (let barren = 0; end === undefined || position < end; barren += 1) {
    if (barren === BARREN_TRIES) throw new UnavailableError('s3: an object could not be read to its end');
    if (barren > 0) await jitteredPause(barren);
    const opened = await open(openRange, {
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
  openRange: OpenRange,
  wanted: WantedRange,
): Promise<{ body: AsyncIterable<unknown>; length: number } | undefined> => {
  try {
    const { body, length } = await openRange(wanted);
    return { body: v.parse(chunks, body), length };
  } catch (error) {
    if (isStatus(error, 416)) return undefined;
    if (isStatus(error, 412) || isStatus(error, 404)) throw new ObjectChangedError('the object changed');
    throw error;
  }
};

/** A stream that breaks ends. Throws when it ended with other bytes than were stored: a new range would hide that. */
const endOf = (error: unknown) => {
  if (isChecksumMismatch(error)) throw error;
  return { done: true, value: undefined };
};

/** The chunks of a stream up to its end or to the break of the connection. */
async function* untilBroken(body: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await iterator.next().catch(endOf);
      if (step.done === true) return;
      yield v.parse(v.instance(Uint8Array), step.value);
    }
  } finally {
    await iterator.return?.();
  }
}
