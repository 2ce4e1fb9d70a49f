/** `finishDryRun`: adds up the batches of a dry run once all of them have results, and stores the result on the job. */
import type { ObjectStore } from '../../runtime/ports.ts';
import { examplesOf, refusedFault, segmentFault } from '../guards/guard-rules.ts';
import { isProcessed, resultsOf, type Totals } from '../jobs/job-progress.ts';
import { readTotals } from '../jobs/read-progress.ts';
import type { Batch } from '../items/batch.ts';
import { changeJob, existingJob, type ChangeDeps } from '../repository/change-job.ts';
import type { JobGuard } from '../items/guard-items.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { dryRunKeyOf } from '../items/object-keys.ts';
import { DryRunCount, type DryRunTotals } from './dry-run-count.ts';
import type { DryRunResult } from '../schemas/dry-run-result.ts';
import { readRehearsed } from './rehearsed-batch.ts';

/** Ports of `finishDryRun`. */
export interface FinishDeps extends ChangeDeps {
  readonly work: Pick<ObjectStore, 'get' | 'put'>;
}

/**
 * Stores the result of a dry run, if all its batches have results and the job has none for so many. Each worker of a dry
 * run calls this after its batch, and the split of the file after its last row: the last of them finds all results. A
 * repeated call stores the same. After a retry so late that earlier findings are no longer kept, the job ends without a
 * result, as if the result had expired.
 */
export const finishDryRun = async (
  deps: FinishDeps,
  { property, job: id }: { readonly property: number; readonly job: number },
): Promise<void> => {
  const { imports, work } = deps;
  const job = await existingJob(imports, property, id);
  const totals = await readTotals(imports, job);
  const results = resultsOf(totals);
  if (!isProcessed(job, totals) || job.dryRunResult?.results === results) return;
  const definition = await imports.definitionOfJob(job);
  if (!definition) throw new Error('import: the definition of a job does not exist');
  const count = new DryRunCount();
  const batches = (await imports.batches(property, id)).toSorted(inOrder);
  let isWhole = true;
  for (const { result } of batches) {
    const rehearsed = result?.rehearsal && (await readRehearsed(work, result.rehearsal));
    if (rehearsed) count.add(rehearsed);
    else isWhole &&= !result?.rehearsal;
  }
  const key = dryRunKeyOf(property, id, results);
  if (isWhole) {
    const { stopped } = await imports.guard(job);
    const result = resultOf(definition, totals, { ...count.totals, stopped });
    await work.put(key, JSON.stringify(result), { contentType: 'application/json' });
  }
  await changeJob(deps, { property, job: id }, (seen) =>
    (seen.dryRunResult?.results ?? -1) >= results ? undefined : { dryRunResult: { key, results } },
  );
};

/** The order in which the service accepted batches, and in a file the order of its rows. */
const inOrder = (one: Batch, other: Batch): number => one.accepted - other.accepted || one.slot - other.slot;

const resultOf = (
  definition: ImportDefinition,
  { completed, unserializable, failed, ingested }: Totals,
  { people, warnings, newSegments, stopped }: DryRunTotals & Pick<JobGuard, 'stopped'>,
): DryRunResult => {
  const fault =
    stopped ??
    segmentFault(definition, {
      count: newSegments.count,
      isExact: true,
      examples: examplesOf(newSegments.segments),
    }) ??
    refusedFault(definition, { judged: ingested, refused: unserializable });
  return {
    people,
    rows: { stored: completed, refused: unserializable, failed, warnings },
    new_segments: { count: newSegments.count, segments: [...newSegments.segments] },
    stopped_by: fault ? { code: fault.code, message: fault.message } : null,
  };
};
