import { limits } from '../../config/limits.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { ObjectStore, PartUploads, UploadedPart } from '../../runtime/ports.ts';
import type { PendingUpload } from '../items/import-job.ts';

export interface AddressDeps {
  readonly uploads: Pick<ObjectStore, 'presignPut'>;
  readonly parts: Pick<PartUploads, 'presign'>;
}

/** One part of a file: its number (from 1), and its bytes in the file. */
export interface PartPlace {
  readonly part: number;
  readonly offset: number;
  readonly size: number;
}

/** The parts of a file. */
export const partsOf = ({ size, parts }: PendingUpload): readonly PartPlace[] => {
  const bytes = parts?.bytes ?? size;
  return Array.from({ length: Math.ceil(size / bytes) }, (_, index) => {
    const offset = index * bytes;
    return { part: index + 1, offset, size: Math.min(bytes, size - offset) };
  });
};

/** The parts that are missing or have the wrong size. */
export const missingParts = (
  awaited: PendingUpload,
  present: readonly UploadedPart[],
): readonly PartPlace[] => {
  const sizes = new Map(present.map(({ part, size }) => [part, size]));
  return partsOf(awaited).filter(({ part, size }) => sizes.get(part) !== size);
};

/** Pre-signed addresses for a file, or for its missing parts. They are valid for an hour. */
export const addressesOf = async (
  { uploads, parts }: AddressDeps,
  key: string,
  awaited: PendingUpload,
  now: number,
  present: readonly UploadedPart[] = [],
): Promise<object> => {
  const { uploadSeconds: seconds } = limits.imports;
  const expires_at = isoTime(now + seconds * 1000);
  const upload = awaited.parts?.upload;
  if (upload === undefined)
    return { ...(await uploads.presignPut(key, { seconds, size: awaited.size })), expires_at };
  const places = missingParts(awaited, present);
  const signed = places.map(async ({ part, offset, size }) => {
    const url = await parts.presign(key, { upload, part, size, seconds });
    return { part_number: part, offset, size, url };
  });
  return { parts: await Promise.all(signed), headers: {}, expires_at };
};
