/** Object keys: the keys of all objects of imports. A key contains text of users only as a hash. */
import { type Folder, folderOf } from '../../properties/folders.ts';
import { sha256 } from '../../runtime/hash.ts';

const uploadKey = /^uploads\/(\d{1,16})\/imports\/(\d{1,16})\/(\d{1,16})\/[0-9a-f]{32}$/;

const hashOf = (text: string): string => sha256(text).slice(0, 32);

/** Key of the uploaded file of a job. */
export const uploadKeyOf = (property: number, importId: number, job: number, fileName: string): string =>
  `${folderOf('uploads', property)}imports/${importId}/${job}/${hashOf(fileName)}`;

/** The job of an uploaded object; `undefined` for a key outside the directories of imports. */
export const parseUploadKey = (
  key: string,
): { readonly property: number; readonly import: number; readonly job: number } | undefined => {
  const [, property, importId, job] = uploadKey.exec(key) ?? [];
  if (property === undefined || importId === undefined || job === undefined) return undefined;
  return { property: Number(property), import: Number(importId), job: Number(job) };
};

const workKey = /^[a-z]+\/\d{1,16}\/(\d{1,16})\//;

/** The job of an object of imports in the work bucket; `undefined` for a key of another form. */
export const jobOfWorkKey = (key: string): number | undefined => {
  const [, job] = workKey.exec(key) ?? [];
  return job === undefined ? undefined : Number(job);
};

/** Key of the records of a batch. */
export const recordsKeyOf = (property: number, job: number, batch: string): string =>
  `${folderOf('batches', property)}${job}/${batch}.json`;

/** Key of the corrected rows of a request. */
export const correctionsKeyOf = (property: number, job: number, requestKey: string): string =>
  `${folderOf('corrections', property)}${job}/${requestKey}`;

/** Kinds of reports: refused rows, and rows that were stored with a warning. */
export type ReportKind = 'errors' | 'warnings';
const reportFolders = { errors: 'refused', warnings: 'warned' } as const satisfies Record<ReportKind, Folder>;

/** Key of the report of one attempt at a batch. */
export const reportKeyOf = (
  kind: ReportKind,
  { property, id: job }: { readonly property: number; readonly id: number },
  batch: string,
  attemptId: string,
): string => `${folderOf(reportFolders[kind], property)}${job}/${batch}/${attemptId}.jsonl`;

/** Key of the download of a whole report in a style. The next such download overwrites it, so there is at most one. */
export const reportFileKeyOf = (
  kind: ReportKind,
  { property, id: job }: { readonly property: number; readonly id: number },
  style: string,
): string => `${folderOf('lists', property)}${job}/${kind}-${style}.csv`;

/** Key of the state that the requests of one download share: the plan, and the beginnings of parts. */
export const reportWorkKeyOf = (file: string, upload: string, part: string): string =>
  `${file}.work/${hashOf(upload)}/${part}`;

/** Key of what one attempt of a dry run found in a batch. */
export const rehearsalKeyOf = (
  { property, id: job }: { readonly property: number; readonly id: number },
  batch: string,
  attemptId: string,
): string => `${folderOf('rehearsals', property)}${job}/${batch}/${attemptId}.json.gz`;

/** Key of the result of a dry run that adds up so many batches. */
export const dryRunKeyOf = (property: number, job: number, results: number): string =>
  `${folderOf('rehearsals', property)}${job}/result-${results}.json`;

/** Key of the expansion of a compressed upload by one attempt. */
export const expandedKeyOf = (property: number, job: number, attemptId: string): string =>
  `${folderOf('expanded', property)}${job}/${attemptId}`;

/** Identifies one version of an object, for the claim that creates one job for it. */
export const versionHash = (key: string, etag: string): string => sha256(`${key}\n${etag}`);

/** Identifies the bytes of a file in the directory of a definition. */
export const contentHash = (importId: number, checksum: string, size: number): string =>
  sha256(`${importId}\n${checksum}\n${size}`);
