/** `importData`: accepts a batch of records and queues it, for `POST import-data`. */
import { limits } from '../../config/limits.ts';
import type { UseCase, NoQuery } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Tier } from '../../profiles/types.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore, Queue } from '../../runtime/ports.ts';
import { err } from '../../runtime/result.ts';
import { tierOf } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import { batchMessageOf } from '../items/job-messages.ts';
import { recordsKeyOf } from '../items/object-keys.ts';
import { acceptedBatch, undoneJob } from '../jobs/accepted-batch.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { BatchBody } from '../schemas/batch-schemas.ts';
import { hasTokens, sealTokens } from '../rows/social-tokens.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { jobTask } from '../jobs/import-tasks.ts';
import { HOUR_MS } from '../../runtime/clock.ts';

export interface AcceptDeps extends AddTaskDeps {
  readonly imports: ImportRepository;
  readonly work: Pick<ObjectStore, 'put'>;
  readonly batches: Queue;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly ids: Ids;
}

/**
 * `POST import-data`: stores a batch, queues it, and answers 202 with the totals of the job. The worker validates the
 * records one by one, so an invalid record never fails the batch. The UUID of the batch is the request key: a repeated
 * request with the same `Idempotency-Key` creates no second batch, wherever the first request crashed.
 */
export const importData: UseCase<AcceptDeps, NoQuery, BatchBody> = async (
  deps,
  { property, body, now, requestKey: uuid, keyed = false },
) => {
  const job = await deps.imports.job(property.id, body.import_job);
  const unknownJob = problems.unknownReference('/import_job', { kind: 'job', id: body.import_job });
  if (!job) return err(unknownJob);
  const definition = await deps.imports.definitionOfJob(job);
  const known = keyed ? await deps.imports.batch(property.id, job.id, uuid) : undefined;
  if (!definition || (definition.deleted && !known)) return err(unknownJob);
  if ((job.phase !== 'open' || job.undo !== null) && !known) return err(closed(job));
  if (!known && job.dryRun && (await isFull(deps, job))) return err(full);
  const skipAppends = known?.skipAppends ?? body.skip_appends ?? definition.skip_appends;
  // The thousands of batches of an hour share one addition.
  await addTask(deps, jobTask(property.id, job.id, Math.ceil(now / HOUR_MS) * HOUR_MS));
  const tier = tierOf(definition);
  // The earlier request may have died before it counted its batch.
  if (known) await deps.imports.countBatches(job, [known]);
  else await storeBatch(deps, job, { uuid, accepted: now, body, skipAppends, tier });
  if (!known?.result) await deps.batches.send([batchMessageOf(property.id, job.id, uuid)]);
  return acceptedBatch(deps.imports, job, { uuid, name: body.name, skipAppends });
};

/** Whether a dry run has as many batches as its result can add up. */
const isFull = async ({ imports }: AcceptDeps, { property, id }: ImportJob): Promise<boolean> => {
  const tallies = await imports.tallies(property, id);
  return tallies.reduce((sum, { batches }) => sum + batches, 0) >= limits.imports.dryRunBatches;
};

const full = problems.conflict(
  'dry_run_full',
  `A dry run takes ${limits.imports.dryRunBatches} batches. Make another job.`,
);

const closed = ({ id, import: importId, file, phase, undo }: ImportJob): Problem => {
  if (undo) return undoneJob;
  return file
    ? problems.conflict(
        'file_job',
        `Job ${id} imports a file; make one for batches with POST imports/${importId}/jobs.`,
      )
    : problems.conflict('job_closed', `Job ${id} is ${phase} and accepts no batches.`);
};

/** Stores the records before the batch, because a batch without its records could not be imported. */
const storeBatch = async (
  deps: AcceptDeps,
  { property, id: job }: ImportJob,
  { uuid, accepted, body, skipAppends, tier }: NewRecords,
): Promise<void> => {
  const { imports, work } = deps;
  const { name, records } = body;
  const key = recordsKeyOf(property, job, uuid);
  const sealed = await withSealedTokens(deps, property, records);
  await work.put(key, JSON.stringify(sealed), { contentType: 'application/json' });
  const slot = await imports.nextSlot({ property, id: job });
  await imports.addBatches({ property, id: job }, [
    {
      uuid,
      slot,
      name,
      accepted,
      records: records.length,
      skipAppends,
      tier,
      source: { kind: 'records', key },
    },
  ]);
};

/** Reads the keys of the property only when there is a token to seal. */
const withSealedTokens = async (
  { scopeOf, ids }: AcceptDeps,
  property: number,
  records: readonly unknown[],
): Promise<readonly unknown[]> => {
  if (!hasTokens(records)) return records;
  const { keys } = await scopeOf(property);
  return sealTokens(keys.tokens, ids, records);
};

interface NewRecords {
  readonly uuid: string;
  readonly accepted: number;
  readonly body: BatchBody;
  readonly skipAppends: boolean;
  readonly tier: Tier;
}
