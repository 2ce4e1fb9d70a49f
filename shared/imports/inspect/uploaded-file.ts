/** Uploaded file: the first bytes of the file of a job, for `inspectImport`. */
import { limits } from '../../config/limits.ts';
import type { PropertyRef } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { ObjectChangedError } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { readFirst, type VersionStore } from '../rows/read-rows.ts';
import type { ReadingRules } from './hidden-cells.ts';

export interface UploadedFileDeps {
  readonly imports: Pick<ImportRepository, 'job' | 'definitionOfJob'>;
  readonly uploads: VersionStore;
}

/** A file to inspect. */
export interface InspectedFile {
  /** The first bytes, as they arrived. */
  readonly content: Buffer;
  /** The definition under which a job imports the file, if a job has it: it says which columns hold social tokens. */
  readonly definition?: ReadingRules;
}

/**
 * Reads the first bytes of the file of a job, in whatever state the job is. 422 `unknown_reference` for a job that the
 * property does not have, 409 `no_file` when no file has arrived, 409 `file_gone` when the file was deleted or
 * replaced since.
 */
export const uploadedFile = async (
  { imports, uploads }: UploadedFileDeps,
  property: PropertyRef,
  jobId: number,
): Promise<Result<InspectedFile, Problem>> => {
  const job = await imports.job(property.id, jobId);
  const definition = job && (await imports.definitionOfJob(job));
  if (!definition || definition.deleted)
    return err(problems.unknownReference('/upload/job_id', { kind: 'job', id: jobId }));
  if (!job.file) return err(problems.conflict('no_file', `Job ${jobId} imports batches and has no file.`));
  const { object } = job.file;
  if (!object) return err(problems.conflict('no_file', `The file of job ${jobId} has not arrived yet.`));
  try {
    const content = await readFirst(uploads, object, limits.imports.inspectedBytes);
    return ok({ content, definition });
  } catch (error) {
    if (error instanceof ObjectChangedError) return err(fileGone(jobId));
    throw error;
  }
};

const fileGone = (jobId: number): Problem =>
  problems.conflict(
    'file_gone',
    `The file of job ${jobId} was deleted or replaced. Files are deleted after ${limits.imports.retentionDays} days, or sooner by a rule of the property.`,
  );
