import { createHash } from 'node:crypto';

/** Keys of the objects of imports, all of them. User text enters one only as a hash. */

const uploadKey = /^uploads\/(\d{1,16})\/imports\/(\d{1,16})\/(\d{1,16})\/[0-9a-f]{32}$/;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Where the file of a job is uploaded to. */
export const uploadKeyOf = (property: number, importId: number, job: number, fileName: string): string =>
  `uploads/${property}/imports/${importId}/${job}/${hashOf(fileName)}`;

/** The job that an uploaded object belongs to; `undefined` for keys outside the directories of imports. */
export const parseUploadKey = (
  key: string,
): { readonly property: number; readonly import: number; readonly job: number } | undefined => {
  const [, property, importId, job] = uploadKey.exec(key) ?? [];
  if (property === undefined || importId === undefined || job === undefined) return undefined;
  return { property: Number(property), import: Number(importId), job: Number(job) };
};

/** Records of a batch, as sent. */
export const recordsKeyOf = (property: number, job: number, batch: string): string =>
  `batches/${property}/${job}/${batch}.json`;

/** Corrected rows of a job, by the request that brought them. */
export const correctionsKeyOf = (property: number, job: number, cause: string): string =>
  `corrections/${property}/${job}/${cause}`;

/** What is told of the rows of a batch: those refused, and those taken with a warning. */
export type ReportKind = 'errors' | 'warnings';
const reportFolders = { errors: 'refused', warnings: 'warned' } as const satisfies Record<ReportKind, string>;

/** Reported rows of one attempt at a batch. */
export const reportKeyOf = (
  kind: ReportKind,
  { property, id: job }: { readonly property: number; readonly id: number },
  batch: string,
  attempt: string,
): string => `${reportFolders[kind]}/${property}/${job}/${batch}/${attempt}.jsonl`;

/** A whole list of reported rows as one file. A download that follows takes its place, so there is one at most. */
export const reportFileKeyOf = (kind: ReportKind, property: number, job: number): string =>
  `lists/${property}/${job}/${kind}.csv`;

/** What the requests of one download tell each other: its plan, and the beginnings of parts. */
export const reportWorkKeyOf = (file: string, upload: string, what: string): string =>
  `${file}.work/${hashOf(upload)}/${what}`;

/** What one attempt has expanded a compressed upload to. */
export const expandedKeyOf = (property: number, job: number, attempt: string): string =>
  `expanded/${property}/${job}/${attempt}`;

/** Folders in which all objects of a property's imports lie, but for files dropped over SFTP. */
export const importFolders = (property: number): readonly string[] =>
  ['uploads', 'batches', 'corrections', ...Object.values(reportFolders), 'lists', 'expanded'].map(
    (folder) => `${folder}/${property}/`,
  );

/** Names one version of an object, for the claim that makes one job of it. */
export const versionHash = (bucket: string, key: string, etag: string): string =>
  createHash('sha256').update(`${bucket}\n${key}\n${etag}`).digest('hex');
