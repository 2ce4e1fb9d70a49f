/** Undone jobs: tells writers of profiles which import jobs are undone, without the rest of the repository. */
import * as v from 'valibot';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

const markedJob = v.object({ id: v.number(), undo: v.nullable(v.object({ begun: v.nullable(v.number()) })) });

/** Those of the jobs of a property whose undo has begun. */
export const undoneJobs =
  (table: Pick<Table, 'getMany'>) =>
  async (property: number, ids: readonly number[]): Promise<ReadonlySet<number>> => {
    const found = await table.getMany(ids.map((id) => keys.job(property, id)));
    const jobs = found.flatMap((item) => (item ? [v.parse(markedJob, item)] : []));
    return new Set(jobs.flatMap(({ id, undo }) => (undo === null || undo.begun === null ? [] : [id])));
  };
