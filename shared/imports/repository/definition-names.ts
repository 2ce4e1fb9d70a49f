/** Definition names: how the definitions of jobs are called, for lists of jobs. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { bytesInAnswer } from '../../http/fitting.ts';
import { batchesOf } from '../../runtime/pool.ts';
import { workBudget } from '../../runtime/work-budget.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table } from '../../table/table.ts';
import type { ImportJob } from '../items/import-job.ts';

/** Jobs whose definitions are read at once. A definition has up to 380 KB. */
const JOBS_AT_ONCE = 25;

const named = v.object({ name: v.string() });

/**
 * The names of the definitions of jobs, in order: the present ones, and of deleted definitions those that they had for the
 * job. Behind some megabytes of definitions it ends, so there may be fewer names than jobs.
 */
export const definitionNames =
  (table: Pick<Table, 'getMany'>) =>
  async (
    property: number,
    jobs: readonly Pick<ImportJob, 'import' | 'revision'>[],
  ): Promise<readonly string[]> => {
    const names: string[] = [];
    const room = workBudget(limits.http.pageBytes);
    for (const some of batchesOf(jobs, JOBS_AT_ONCE)) {
      const items = await definitionsOf(table, property, some);
      names.push(...items.map((item) => v.parse(named, item).name));
      for (const item of new Set(items)) room.take(bytesInAnswer(item));
      if (!room.take(0)) break;
    }
    return names;
  };

/** The definitions of jobs, in order. The last revision of a definition is stored before the definition is removed. */
const definitionsOf = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  jobs: readonly Pick<ImportJob, 'import' | 'revision'>[],
): Promise<readonly (StoredItem | undefined)[]> => {
  const present = await table.getMany(jobs.map((job) => keys.importDefinition(property, job.import)));
  const isGone = (_: unknown, index: number): boolean => present[index] === undefined;
  const gone = jobs.filter(isGone).map((job) => keys.importRevision(property, job.import, job.revision));
  const kept = gone.length === 0 ? [] : await table.getMany(gone);
  let next = 0;
  return present.map((item) => item ?? kept[next++]);
};
