import type { ExportJob, JobRef } from './items.ts';

const folderOf = ({ property, export: id, job }: JobRef): string => `p${property}/${id}/${job}`;

/** Keys of the objects of a job; `attempt` is random, so that no attempt overwrites another's. */
export const objectKeys = {
  members: (ref: JobRef, attempt: string): string => `exports/${folderOf(ref)}/members-${attempt}`,
  part: (ref: JobRef, shard: number, attempt: string): string =>
    `exports/${folderOf(ref)}/part-${shard}-${attempt}`,
  file: (ref: JobRef, attempt: string, name: string): string => `${folderOf(ref)}/${attempt}/${name}`,
};

/** What a sealed part is bound to: its job and place, so that parts cannot be swapped. */
export const sealContext = ({ property, job }: JobRef, shard: number, kind: 'rows' | 'keys'): string =>
  `${property}/${job}/${shard}/${kind}`;

/** Name of a job's file. */
export const fileName = (
  { export: id, job }: Pick<ExportJob, 'export' | 'job'>,
  format: 'csv' | 'txt',
): string => `${id}-${job}.${format}`;

/** Random bytes in the names of attempts. */
export const ATTEMPT_BYTES = 8;
