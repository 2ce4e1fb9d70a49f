import type { ExportJob, JobRef } from './items.ts';

const folderOf = ({ property, export: id, job }: JobRef): string => `p${property}/${id}/${job}`;

/** Objects in this folder of the exports bucket are kept for `baseDays`. */
const BASES_FOLDER = 'bases/';

/** Folders of the exports bucket in which all attempts at a job write. */
export const jobFolders = (ref: JobRef): readonly string[] =>
  ['', BASES_FOLDER].map((base) => `${base}${folderOf(ref)}/`);

/** Folders in which all objects of a property's exports lie. */
export const exportFolders = (property: number): readonly string[] =>
  ['', BASES_FOLDER, 'exports/'].map((folder) => `${folder}p${property}/`);

/** Keys of the objects of a job; `attempt` is random, so that no attempt overwrites another's. */
export const objectKeys = {
  /** Kept longer for a delta: the next one is counted from it. */
  members: (ref: JobRef, attempt: string, scope: 'full' | 'delta'): string =>
    `${scope === 'delta' ? BASES_FOLDER : ''}${folderOf(ref)}/members-${attempt}`,
  sizes: (ref: JobRef, attempt: string): string => `exports/${folderOf(ref)}/sizes-${attempt}`,
  part: (ref: JobRef, shard: number, attempt: string): string =>
    `exports/${folderOf(ref)}/part-${shard}-${attempt}`,
  /** Also of the manifest. */
  file: (ref: JobRef, attempt: string, name: string): string => `${folderOf(ref)}/${attempt}/${name}`,
};

/** What a sealed part is bound to: its job and place, so that parts cannot be swapped. */
export const sealContext = ({ property, job }: JobRef, shard: number, kind: 'rows' | 'keys'): string =>
  `${property}/${job}/${shard}/${kind}`;

/** Name of a job's file; what is encrypted ends in `.pgp`. */
export const fileName = (
  { export: id, job }: Pick<ExportJob, 'export' | 'job'>,
  format: 'csv' | 'txt',
  encrypted: boolean,
): string => `${id}-${job}.${format}${encrypted ? '.pgp' : ''}`;

/** Name of the manifest of a job's file. */
export const manifestName = ({ export: id, job }: Pick<ExportJob, 'export' | 'job'>): string =>
  `${id}-${job}.manifest.json`;

/** Random bytes in the names of attempts. */
export const ATTEMPT_ID_BYTES = 8;
