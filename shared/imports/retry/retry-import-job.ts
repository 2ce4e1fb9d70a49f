/** `retryImportJob`: imports corrected rows of a job again, for `POST retry`. */
import type { ApiRequest, UseCase, NoQuery } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Pause } from '../../runtime/pause.ts';
import type { ObjectStore, Queue } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import { retryUuid } from '../items/batch.ts';
import { changeJob } from '../repository/change-job.ts';
import { selectRows } from './select-rows.ts';
import { sealCorrections } from './sealed-corrections.ts';
import { type ImportDefinition, tierOf } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import { batchMessageOf } from '../items/job-messages.ts';
import { correctionsKeyOf } from '../items/object-keys.ts';
import { type CorrectedRow, readCorrectedCsv } from './read-corrected-csv.ts';
import { rowsGone } from '../reports/reported-row.ts';
import { acceptedBatch, undoneJob } from '../jobs/accepted-batch.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { NewBatch } from '../repository/stored-items.ts';
import type { RetryBody } from '../schemas/batch-schemas.ts';
import { canMove, moved } from '../items/transitions.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { jobTask } from '../jobs/import-tasks.ts';

export interface RetryDeps {
  readonly imports: ImportRepository;
  readonly table: AddTaskDeps['table'];
  readonly work: Pick<ObjectStore, 'get' | 'put'>;
  readonly batches: Queue;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly ids: Ids;
  readonly pause: Pause;
}

/**
 * `POST retry`: accepts corrected rows and imports them again as a new batch of the same job. A row counts in its last
 * batch, so the totals of the job do not grow. The UUID of the batch contains the number of the retry. Of two
 * concurrent requests, the insert of the second one fails, and it checks again which rows are still refused. A repeated
 * request with the same `Idempotency-Key` finds the batch of the first request.
 */
export const retryImportJob: UseCase<RetryDeps, NoQuery, RetryBody> = async (deps, request) => {
  const job = await jobInPath(deps.imports, request);
  const definition = job && (await deps.imports.definitionOfJob(job));
  if (!definition || definition.deleted) return err(notFound('importJob', request));
  if (!takesRetries(job)) return err(closed(job));
  const rows = readCorrectedCsv(job.layout, request.body.csv);
  if (!rows.ok) return err(problems.invalid(rows.error));
  const batch = await addBatchOnce(deps, request, { job, definition, rows: rows.value });
  if (!batch.ok) return batch;
  await deps.batches.send([batchMessageOf(job.property, job.id, batch.value.uuid)]);
  return acceptedBatch(deps.imports, job, batch.value);
};

const takesRetries = (job: ImportJob): boolean =>
  job.undo === null && (job.phase === 'open' || job.phase === 'reopened' || canMove(job, 'reopen'));

const closed = ({ phase, undo }: ImportJob): Problem => {
  if (undo) return undoneJob;
  return phase === 'failed' || phase === 'cancelled'
    ? problems.conflict('job_closed', `The job is ${phase} and accepts no rows.`)
    : problems.conflict(
        'still_reading',
        'The file of the job is still being read. Wait until its rows are in batches.',
      );
};

interface RetryInput {
  readonly job: ImportJob;
  readonly definition: ImportDefinition;
  readonly rows: readonly CorrectedRow[];
}

type RetryBatch = Pick<NewBatch, 'uuid' | 'name' | 'skipAppends'>;

/** Adds the batch of a request, or finds the batch that an earlier try added. */
const addBatchOnce = async (
  deps: RetryDeps,
  { now, requestKey }: ApiRequest<unknown, RetryBody>,
  retrying: RetryInput,
): Promise<Result<RetryBatch, Problem>> => {
  const { property, id } = retrying.job;
  const contended = { pause: deps.pause, what: 'imports: the retries of a job' };
  return retryOnConflict<Result<RetryBatch, Problem>>(contended, async () => {
    const batches = await deps.imports.batches(property, id);
    const retries = batches.filter((batch) => batch.retry);
    const earlier = retries.find((batch) => batch.retry?.requestKey === requestKey);
    if (earlier) {
      // The earlier request may have died before it counted its batch.
      await deps.imports.countBatches(retrying.job, [earlier]);
      return done(ok(earlier));
    }
    const selected = await selectRows(deps.work, batches, retrying.rows);
    if (!selected.ok)
      return done(err(selected.error === 'gone' ? rowsGone() : problems.invalid(selected.error)));
    const { corrections, retry, skipAppends } = selected.value;
    const key = correctionsKeyOf(property, id, requestKey);
    const { keys } = await deps.scopeOf(property);
    await deps.work.put(key, sealCorrections(keys.tokens, deps.ids, corrections));
    if (!(await reopen(deps, retrying.job, now))) return done(err(undoneJob));
    const batch: NewBatch = {
      uuid: retryUuid(id, retries.length + 1),
      slot: retries.length,
      name: `${retrying.job.name} (retry ${retries.length + 1})`,
      accepted: now,
      records: corrections.length,
      skipAppends,
      tier: tierOf(retrying.definition),
      source: { kind: 'corrections', key },
      retry: { ...retry, requestKey },
    };
    return (await deps.imports.addBatch(retrying.job, batch)) ? done(ok(batch)) : 'conflict';
  });
};

/**
 * Reopens the job before the batch exists, so that no reader takes the old end of the job for its end; `false` when the
 * job was undone meanwhile.
 */
const reopen = async (deps: RetryDeps, job: ImportJob, now: number): Promise<boolean> => {
  await addTask(deps, jobTask(job.property, job.id, now));
  const { undo } = await changeJob(deps, { property: job.property, job: job.id }, (seen) =>
    seen.undo === null && canMove(seen, 'reopen') ? moved('reopen') : undefined,
  );
  return undo === null;
};
