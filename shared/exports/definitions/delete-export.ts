import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { cancelOpen } from '../runs/cancel-export-job.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { removeSchedules, type RemoveDeps } from '../runs/schedule-runs.ts';

/** What deleting exports needs. */
export interface DeleteDeps extends RemoveDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * `DELETE exports/{export_id}`: the definition is gone at once, with its schedules; jobs that wait or run are cancelled.
 * Locations that were told open nothing any more, and what was not delivered by then no longer is.
 */
export const deleteExport = async (
  deps: DeleteDeps,
  { property, path, now }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['export_id']);
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a definition');
    const seen = belongsTo(property.id, id) ? await deps.exports.definition(property.id, id) : undefined;
    if (!seen) return err(problems.notFound());
    const { revision, schedule } = seen.value;
    const chore = { property: property.id, export: id, created: now, job: null, revision };
    if (schedule !== null) await deps.exports.addOutboxTask(chore);
    if ((await deps.exports.markDeleted(seen)) === 'refused') continue;
    await cleanUp(deps, seen.value);
    return ok({ status: 200, body: { id: String(id) } });
  }
};

/** Takes away what a deleted definition leaves. What a crash leaves of it, the chores of jobs and schedules take away. */
const cleanUp = async (deps: DeleteDeps, definition: ExportDefinition): Promise<void> => {
  const { property, export: id, revision, schedule, current_job, waiting_job } = definition;
  for (const job of [current_job, waiting_job])
    if (job !== null) await cancelOpen(deps, { property, export: id, job });
  if (schedule !== null) await removeSchedules(deps, { property, export: id, revision });
  await deps.exports.removeHostKeys(property, id);
  await deps.exports.removeDefinition(property, id);
};
