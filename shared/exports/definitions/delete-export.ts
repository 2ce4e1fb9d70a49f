import type { ApiAnswer, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { Table } from '../../table/table.ts';
import { taskWrite } from '../../tasks/tasks.ts';
import type { ExportDefinition } from '../model/items.ts';
import { markDefinition, scheduleTask, type ExportRepository } from '../model/repository.ts';
import { requestedDefinition } from '../model/named-items.ts';
import { cancelJob } from '../runs/end-job.ts';

export interface DeleteDeps {
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * `DELETE exports/{export_id}`: marks the definition as deleted and cancels its open jobs. Its locations stop opening files,
 * pending deliveries are not attempted again, and a task removes its schedules.
 */
export const deleteExport: UseCase<DeleteDeps> = (deps, request) =>
  retryOnConflict<Result<ApiAnswer, Problem>>(
    { pause: deps.pause, what: 'exports: a definition' },
    async () => {
      const seen = await requestedDefinition(deps.exports, request);
      if (!seen) return done(err(notFound('export', request)));
      const task = scheduleTask(seen.value, request.now);
      const tasks = seen.value.schedule === null ? [] : [await taskWrite(deps.table, task)];
      if ((await deps.table.transact([markDefinition(seen), ...tasks])).length > 0) return 'conflict';
      await removeLeftovers(deps, seen.value);
      return done(ok({ status: 200, body: { id: String(seen.value.export) } }));
    },
  );

/**
 * Removes the leftovers of a deleted definition. After a crash, the tasks of its jobs and schedules remove the
 * rest.
 */
const removeLeftovers = async (deps: DeleteDeps, definition: ExportDefinition): Promise<void> => {
  const { property, export: id, current_job, waiting_job } = definition;
  for (const job of [current_job, waiting_job])
    if (job !== null) await cancelJob(deps, { property, export: id, job });
  await deps.exports.removeHostKeys(property, id);
  await deps.exports.removeDefinition(property, id);
};
