import type { UseCase, NoQuery } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { definitionInPath } from '../repository/find-in-path.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { JobBody } from '../schemas/job-schemas.ts';
import { jobView } from '../schemas/views.ts';
import { noBatches, progressOf, totalsOf } from './job-progress.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

/**
 * `POST jobs`: creates a job that accepts batches. A repeated request with the same `Idempotency-Key` returns the job
 * of the first request.
 */
export const createImportJob: UseCase<{ readonly imports: ImportRepository }, NoQuery, JobBody> = async (
  { imports },
  request,
) => {
  const definition = await definitionInPath(imports, request);
  if (!definition) return err(notFound('import', request));
  const id = await imports.idOf(requestIdentityOf(request), 'import-job');
  await imports.addJob({
    id,
    property: request.property.id,
    import: definition.id,
    revision: definition.revision,
    name: request.body.name,
    created: request.now,
    dryRun: request.body.dry_run === true || definition.test_mode,
    phase: 'open',
    file: null,
  });
  const job = await imports.job(request.property.id, id);
  if (!job) throw new Error('import: the job does not exist after its creation');
  return ok({ status: 201, body: jobView(job, progressOf(job, totalsOf(job, noBatches), false)) });
};
