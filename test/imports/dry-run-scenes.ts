import { expect } from 'vitest';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { getImportJob } from '../../shared/imports/jobs/read-import-jobs.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { jobAnswer, jobDetailAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { map, tagged } from './guard-scenes.ts';
import { type ImportHarness, put, request, workOff } from './import-harness.ts';
import { answered } from '../support/requests.ts';

/** A definition of identities, a name and tags. */
export const definition = {
  ...tagged,
  mapping_fields: {
    required_fields: [],
    field_maps: ['unique_id', 'email', 'first_name', 'tags'].map((name) => map(name)),
  },
};

/** Reads a job as `GET` shows it. */
export const readDetail = (harness: ImportHarness, importId: number, job: number) =>
  answered(
    getImportJob(harness.deps, request({ import_id: importId, job_id: job }, {}, undefined)),
    jobDetailAnswer,
  );

/** Makes a dry run for batches. */
export const openDryRun = async (harness: ImportHarness, importId: number): Promise<number> => {
  const body = { name: 'dry', dry_run: true };
  const job = await answered(
    createImportJob(harness.deps, request({ import_id: importId }, {}, body)),
    jobAnswer,
  );
  expect(job.dry_run).toBe(true);
  return job.id;
};

/** Uploads a file for a dry run, up to its inspection. */
export const uploadDryRun = async (harness: ImportHarness, importId: number, file: string) => {
  const bytes = Buffer.from(file);
  const body = { file_name: 'a.csv', size: bytes.length, dry_run: true };
  const made = await answered(
    createUpload(harness.deps, request({ import_id: importId }, {}, body)),
    wholeUpload,
  );
  await startImport(harness.deps, await put(harness, new URL(made.url).pathname.slice(1), bytes));
  const reference = { property: 7, import: importId, job: made.job_id };
  await inspectFile(harness.deps, reference);
  return reference;
};

/** Runs a file as a dry run; answers the job. */
export const dryRun = async (harness: ImportHarness, importId: number, file: string) => {
  const reference = await uploadDryRun(harness, importId, file);
  while (!(await splitFile(harness.deps, reference)).done);
  await workOff(harness);
  expect(await settleImport(harness.deps, reference)).toMatchObject({ done: true });
  return readDetail(harness, importId, reference.job);
};
