import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Tier } from '../../profiles/types.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore, Queue } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobView } from '../model/views.ts';
import { tierOf } from '../model/import-definition.ts';
import type { ImportJob } from '../model/import-job.ts';
import { batchMessageOf } from '../model/job-messages.ts';
import { recordsKeyOf } from '../model/object-keys.ts';
import { countProgress } from '../jobs/read-progress.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { BatchBody } from '../model/schemas.ts';
import { hasTokens, sealTokens } from '../model/social-tokens.ts';
import { keepWatched, type WatchedJobs } from '../model/watched-jobs.ts';

export interface AcceptDeps {
  readonly imports: ImportRepository;
  readonly watched: WatchedJobs;
  readonly work: Pick<ObjectStore, 'put'>;
  readonly batches: Queue;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly ids: Ids;
}

/**
 * `POST import-data`: stores a batch, then queues it, then answers 202 with the job's totals. Its records are judged one
 * by one by the worker, so that a bad one never fails the batch. The batch's UUID is the request's cause: a repeated
 * request under one `Idempotency-Key` makes no second batch, wherever the first one broke off.
 */
export const importData = async (
  deps: AcceptDeps,
  { property, body, now, requestKey: uuid, keyed = false }: ApiRequest<unknown, BatchBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await deps.imports.job(property.id, body.import_job);
  if (!job) return err(problems.unknownReference('/import_job'));
  const definition = await deps.imports.definitionOfJob(job);
  const known = keyed ? await deps.imports.batch(property.id, job.id, uuid) : undefined;
  if (!definition || (definition.deleted && !known)) return err(problems.unknownReference('/import_job'));
  if (job.phase !== 'open' && !known) return err(closed(job));
  const skipAppends = known?.skipAppends ?? body.skip_appends ?? definition.skip_appends;
  await keepWatched(deps, job, now);
  const tier = tierOf(definition);
  if (!known) await keepBatch(deps, job, { uuid, accepted: now, body, skipAppends, tier });
  if (!known?.result) await deps.batches.send([batchMessageOf(property.id, job.id, uuid)]);
  const progress = await countProgress(deps.imports, job);
  const answer = {
    batch_job_uuid: uuid,
    import_job: jobView(job, { ...progress, status: 'ingestion-complete' }),
    name: body.name,
    skip_appends: skipAppends,
  };
  return ok({ status: 202, body: answer });
};

const closed = ({ file, phase }: ImportJob): Problem =>
  file
    ? problems.conflict('file_job', 'The job belongs to a file and takes no batches.')
    : problems.conflict('job_closed', `The job is ${phase} and takes no more batches.`);

/** The records, then the batch that counts them: it is worthless without the records, as its message is without the batch. */
const keepBatch = async (
  deps: AcceptDeps,
  { property, id: job }: ImportJob,
  { uuid, accepted, body, skipAppends, tier }: NewRecords,
): Promise<void> => {
  const { imports, work } = deps;
  const { name, records } = body;
  const key = recordsKeyOf(property, job, uuid);
  const kept = await withSealedTokens(deps, property, records);
  await work.put(key, JSON.stringify(kept), { contentType: 'application/json' });
  await imports.addBatches({ property, id: job }, [
    { uuid, name, accepted, records: records.length, skipAppends, tier, source: { kind: 'records', key } },
  ]);
};

/** The property's keys are asked for only when there is something to seal. */
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
