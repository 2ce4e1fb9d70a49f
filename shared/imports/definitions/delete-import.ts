/** `deleteImport`: deletes a definition and its directory once its jobs have ended, for `DELETE imports/{import_id}`. */
import type { ApiAnswer, ApiRequest, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import { inUseProblem } from '../../references/delete-unreferenced.ts';
import { importPrefix } from '../../sftp/paths.ts';
import { type ProgressDeps, readProgress } from '../jobs/read-progress.ts';
import type { ImportJob } from '../items/import-job.ts';
import { hasEnded } from '../items/job-status.ts';

export interface DeleteDeps extends ProgressDeps {
  readonly uploads: Pick<ObjectStore, 'remove'>;
}

/**
 * `DELETE imports/{import_id}`: marks the definition as deleted, then removes its directory and its item. Fails with
 * 409 while one of its jobs runs. A job that another request creates at the same moment imports the rows that it has
 * accepted, and fails if its file was not inspected yet.
 */
export const deleteImport: UseCase<DeleteDeps> = async (deps, { property, path }) => {
  const { imports, pause } = deps;
  const id = Number(path['import_id']);
  return retryOnConflict<Result<ApiAnswer, Problem>>({ pause, what: 'imports: a definition' }, async () => {
    const seen = await imports.versionedDefinition(property.id, id);
    const running = seen && (await runningJobs(deps, property.id, id));
    if (running && running.jobs.length > 0) return done(err(inUse(running)));
    if (seen && !(await imports.markDeleted(seen))) return 'conflict';
    // A request that finds the mark of a crashed request finishes its work.
    if (await imports.isMarked(property.id, id)) await cleanUp(deps, property, id);
    return done(seen ? ok({ status: 200, body: { id } }) : err(notFound('import', { property, path })));
  });
};

const cleanUp = async (
  { imports, uploads }: DeleteDeps,
  { id: property, account }: ApiRequest<unknown, unknown>['property'],
  id: number,
): Promise<void> => {
  await uploads.remove(importPrefix(account, property, id));
  await imports.removeMarked(property, id);
};

/** Jobs of a definition that have not ended. */
interface RunningJobs {
  /** The newest first. */
  readonly jobs: readonly ImportJob[];
  /** Whether no other job runs. */
  readonly isComplete: boolean;
}

const inUse = ({ jobs, isComplete }: RunningJobs): Problem =>
  inUseProblem(
    {
      users: jobs.map(({ id, name }) => ({ kind: 'job', id, name })),
      total: isComplete ? jobs.length : null,
    },
    'Wait for the end of each job, or cancel it.',
  );

/** Running jobs that a refusal names. */
const MAX_JOBS = 20;

/** Number of jobs that one read returns. */
const JOBS_AT_ONCE = 100;

/**
 * The newest jobs of a definition that have not ended, at most twenty. One running job is enough to refuse the
 * deletion, so the search ends with the first page that has such a job.
 */
const runningJobs = async (deps: DeleteDeps, property: number, id: number): Promise<RunningJobs> => {
  let after: string | undefined;
  do {
    const page = await deps.imports.jobs(property, id, { limit: JOBS_AT_ONCE, after, descending: true });
    const jobs: ImportJob[] = [];
    for (const job of page.items) {
      if (!hasEnded((await readProgress(deps, job)).status)) jobs.push(job);
      if (jobs.length === MAX_JOBS) return { jobs, isComplete: false };
    }
    after = page.next;
    if (jobs.length > 0) return { jobs, isComplete: after === undefined };
  } while (after !== undefined);
  return { jobs: [], isComplete: true };
};
