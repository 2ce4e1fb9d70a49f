/** Work keys: name the objects of a job in the buckets, and the contexts that its sealed parts are bound to. */
import { type ExportPlace, exportFolderOf } from '../../properties/folders.ts';
import type { JobRef } from './items.ts';

const folderOf = (place: ExportPlace, { property, export: id, job }: JobRef): string =>
  `${exportFolderOf(place, property)}${id}/${job}`;

/** Folders of the exports bucket that all attempts at a job write to. The bucket keeps the bases for `baseDays`. */
export const jobFolders = (ref: JobRef): readonly string[] =>
  (['files', 'bases'] as const).map((place) => `${folderOf(place, ref)}/`);

/** Keys of the objects of a job. `attemptId` is random, so no attempt overwrites the object of another attempt. */
export const objectKeys = {
  /** The members of a delta are kept longer, as the base of the next delta. */
  members: (ref: JobRef, attemptId: string, scope: 'full' | 'delta'): string =>
    `${folderOf(scope === 'delta' ? 'bases' : 'files', ref)}/members-${attemptId}`,
  /** Those of whom a receiver may know either, kept as long as the members: they say whose data a file may have. */
  uncertain: (ref: JobRef, attemptId: string): string => `${folderOf('bases', ref)}/uncertain-${attemptId}`,
  /** The members of the base whom the receiver was told, if these are not all of them. */
  told: (ref: JobRef, attemptId: string): string => `${folderOf('bases', ref)}/told-${attemptId}`,
  /** The members whom the rows of a job leave out. */
  omitted: (ref: JobRef, attemptId: string): string => `${folderOf('bases', ref)}/omitted-${attemptId}`,
  sizes: (ref: JobRef, attemptId: string): string => `${folderOf('work', ref)}/sizes-${attemptId}`,
  part: (ref: JobRef, shard: number, attemptId: string): string =>
    `${folderOf('work', ref)}/part-${shard}-${attemptId}`,
  /** The state of the file between two steps of its assembly. */
  checkpoint: (ref: JobRef): string => `${folderOf('work', ref)}/checkpoint`,
  /** The file. Its name is for clients only: it may be any text of a client. */
  file: (ref: JobRef, attemptId: string): string => `${folderOf('files', ref)}/${attemptId}/file`,
  manifest: (ref: JobRef, attemptId: string): string => `${folderOf('files', ref)}/${attemptId}/manifest`,
};

const jobKey = /^(?:exports\/)?p(\d{1,16})\/(\d{1,16})\/(\d{1,16})\//;

/** The job of an object of exports; `undefined` for a key of another form. */
export const jobOfKey = (key: string): JobRef | undefined => {
  const [, property, id, job] = jobKey.exec(key) ?? [];
  if (property === undefined || id === undefined || job === undefined) return undefined;
  return { property: Number(property), export: Number(id), job: Number(job) };
};

/**
 * Whether a key in the folder of the files is that of a file or its manifest. The other objects there are members of jobs:
 * numbers of people, which say whose data a file has had.
 */
export const isFileKey = (key: string): boolean => /\/(?:file|manifest)$/.test(key);

/** Context of a sealed part: its job and place, so parts cannot be swapped. */
export const sealContext = (
  { property, job }: JobRef,
  shard: number,
  kind: 'rows' | 'keys' | 'omitted',
): string => `${property}/${job}/${shard}/${kind}`;

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
