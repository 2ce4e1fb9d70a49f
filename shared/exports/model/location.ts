import { createHash, createHmac } from 'node:crypto';
import { keys } from '../../table/keys.ts';
import type { Key } from '../../table/keys.ts';
import type { ExportFile, JobRef } from './items.ts';

/**
 * The capability that opens a job's file: a keyed hash, under the property's key for downloads, of the job and the time
 * it ends. So every read of the job shows the same location, and no table holds it: the download item is found by the
 * capability's SHA-256.
 */
export const capabilityOf = (key: Uint8Array, { export: id, job }: JobRef, expires: number): string =>
  createHmac('sha256', key).update(`${id}\n${job}\n${expires}`).digest('base64url');

/** Key of the item that a capability opens. */
export const downloadKey = (capability: string): Key =>
  keys.download(createHash('sha256').update(capability).digest('hex'));

/** The address of a job's file for so long as it opens; `null` after. */
export const locationOf = (
  { baseUrl, key, now }: { baseUrl: string; key: Uint8Array; now: number },
  ref: JobRef,
  file: ExportFile | null,
): string | null =>
  file === null || file.expires <= now
    ? null
    : `${baseUrl}/downloads/${capabilityOf(key, ref, file.expires)}/${encodeURIComponent(file.name)}`;
