import { capabilityHash, keyedCapability } from '../../runtime/capability.ts';
import { keys, type Key } from '../../table/keys.ts';
import type { ExportFile, JobRef } from './items.ts';

/**
 * The capability that opens the file of a job: a keyed hash of the job and the end of its location, under the
 * property's key for downloads. Every read of the job therefore shows the same location, and no table holds it: the
 * download item is found by the SHA-256 of the capability.
 */
export const capabilityOf = (key: Uint8Array, { export: id, job }: JobRef, expires: number): string =>
  keyedCapability(key, [id, job, expires]);

/** Key of the item that a capability opens. */
export const downloadKey = (capability: string): Key => keys.download(capabilityHash(capability));

/** The location of a job's file, a capability URL; `null` once it no longer opens. */
export const locationOf = (
  { baseUrl, key, now }: { baseUrl: string; key: Uint8Array; now: number },
  ref: JobRef,
  file: ExportFile | null,
): string | null =>
  file === null || file.expires <= now
    ? null
    : `${baseUrl}/downloads/${capabilityOf(key, ref, file.expires)}/${encodeURIComponent(file.name)}`;
