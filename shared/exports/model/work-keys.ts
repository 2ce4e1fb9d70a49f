/** Work keys: name the objects of a job in the buckets, and the contexts that its sealed parts are bound to. */
import type { JobRef } from './items.ts';

const folderOf = ({ property, export: id, job }: JobRef): string => `p${property}/${id}/${job}`;

/** The exports bucket keeps objects in this folder for `baseDays`. */
const BASES_FOLDER = 'bases/';

/** Folders of the exports bucket that all attempts at a job write to. */
export const jobFolders = (ref: JobRef): readonly string[] =>
  ['', BASES_FOLDER].map((base) => `${base}${folderOf(ref)}/`);

/** Folders of all objects that the exports of a property write. */
export const exportFolders = (property: number): readonly string[] =>
  ['', BASES_FOLDER, 'exports/'].map((folder) => `${folder}p${property}/`);

/** Keys of the objects of a job. `attemptId` is random, so no attempt overwrites the object of another attempt. */
export const objectKeys = {
  /** The members of a delta are kept longer, as the base of the next delta. */
  members: (ref: JobRef, attemptId: string, scope: 'full' | 'delta'): string =>
    `${scope === 'delta' ? BASES_FOLDER : ''}${folderOf(ref)}/members-${attemptId}`,
  sizes: (ref: JobRef, attemptId: string): string => `exports/${folderOf(ref)}/sizes-${attemptId}`,
  part: (ref: JobRef, shard: number, attemptId: string): string =>
    `exports/${folderOf(ref)}/part-${shard}-${attemptId}`,
  /** The state of the file between two steps of its assembly. */
  checkpoint: (ref: JobRef): string => `exports/${folderOf(ref)}/checkpoint`,
  /** The file. Its name is for clients only: it may be any text of a client. */
  file: (ref: JobRef, attemptId: string): string => `${folderOf(ref)}/${attemptId}/file`,
  manifest: (ref: JobRef, attemptId: string): string => `${folderOf(ref)}/${attemptId}/manifest`,
};

/** Context of a sealed part: its job and place, so parts cannot be swapped. */
export const sealContext = ({ property, job }: JobRef, shard: number, kind: 'rows' | 'keys'): string =>
  `${property}/${job}/${shard}/${kind}`;

/** Context of the sealed state of an assembly: its job. */
export const assemblyContext = ({ property, job }: JobRef): string => `${property}/${job}/assembly`;

/** Encryption context of the data key that seals a job's parts. */
export const partsContext = ({ property, job }: JobRef): Readonly<Record<string, string>> => ({
  purpose: 'export-parts',
  property: String(property),
  job: String(job),
});

/** Random bytes of an attempt id. */
export const ATTEMPT_ID_BYTES = 8;
