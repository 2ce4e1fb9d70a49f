import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { ObjectStore, Queue } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { jobAnswerOf } from './answers.ts';
import type { ImportJob } from './job.ts';
import { batchMessageOf } from './messages.ts';
import { recordsKeyOf } from './object-keys.ts';
import { countProgress } from './read-progress.ts';
import type { ImportRepository } from './repository.ts';
import type { BatchBody } from './schemas.ts';

export interface AcceptDeps {
  readonly imports: ImportRepository;
  readonly work: Pick<ObjectStore, 'put'>;
  readonly batches: Queue;
}

/**
 * `POST import-data`: stores a batch, then queues it, then answers 202 with the job's totals. Its records are judged one
 * by one by the worker, so that a bad one never fails the batch. The batch's UUID is the request's cause: a repeated
 * request under one `Idempotency-Key` makes no second batch, wherever the first one broke off.
 */
export const acceptBatch = async (
  deps: AcceptDeps,
  { property, body, now, cause: uuid }: ApiRequest<unknown, BatchBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await deps.imports.job(property.id, body.import_job);
  if (!job) return err(problems.unknownReference('/import_job'));
  const definition = await deps.imports.definition(property.id, job.import);
  if (!definition) return err(problems.unknownReference('/import_job'));
  if (job.phase !== 'open') return err(closed(job));
  const skipAppends = body.skip_appends ?? definition.skip_appends;
  await keepBatch(deps, job, { uuid, accepted: now, body, skipAppends });
  const progress = await countProgress(deps.imports, job);
  const answer = {
    batch_job_uuid: uuid,
    import_job: jobAnswerOf(job, { ...progress, status: 'ingestion-complete' }),
    name: body.name,
    skip_appends: skipAppends,
  };
  return ok({ status: 202, body: answer });
};

const closed = ({ file, phase }: ImportJob): Problem =>
  file
    ? problems.conflict('file_job', 'The job belongs to a file and takes no batches.')
    : problems.conflict('job_closed', `The job is ${phase} and takes no more batches.`);

/** The records, the batch that counts them, the message: each is worthless without the one before. */
const keepBatch = async (
  { imports, work, batches }: AcceptDeps,
  { property, id: job }: ImportJob,
  { uuid, accepted, body, skipAppends }: NewRecords,
): Promise<void> => {
  const key = recordsKeyOf(property, job, uuid);
  await work.put(key, JSON.stringify(body.records), { contentType: 'application/json' });
  const { name, records } = body;
  await imports.addBatches({ property, id: job }, [
    { uuid, name, accepted, records: records.length, skipAppends, source: { kind: 'records', key } },
  ]);
  await batches.send([batchMessageOf(property, job, uuid)]);
};

interface NewRecords {
  readonly uuid: string;
  readonly accepted: number;
  readonly body: BatchBody;
  readonly skipAppends: boolean;
}
