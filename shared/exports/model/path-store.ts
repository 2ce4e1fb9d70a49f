/** Path store: remembers the newest run of an export that sends a file to a path of the client's server or bucket. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { DAY_SECONDS } from '../../runtime/clock.ts';
import { sha256 } from '../../runtime/hash.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { exportPathItem, type ExportJob } from './items.ts';

type Owner = Pick<ExportJob, 'property' | 'export' | 'run'>;

/** Paths that the runs of an export share. */
export interface PathStore {
  /** Whether a later run of the export has claimed the path. */
  isSuperseded(job: Owner, path: string): Promise<boolean>;
  /**
   * Claims a path for a run, and returns whether a later run has claimed it. Claims only grow, so a repeated call
   * changes nothing. The claim expires after the last delivery of every earlier run.
   */
  claimPath(job: Owner, path: string, now: number): Promise<'claimed' | 'superseded'>;
}

/** Paths in the table. */
export const pathStore = (table: Table): PathStore => {
  const keyOf = (job: Owner, path: string) => keys.exportPath(job.property, job.export, sha256(path));
  const newestRun = async (job: Owner, path: string): Promise<number | undefined> => {
    const item = await table.get(keyOf(job, path));
    return item && v.parse(exportPathItem, item).run;
  };
  const claimPath: PathStore['claimPath'] = async (job, path, now) => {
    const { run } = job;
    const newest = await newestRun(job, path);
    if (newest !== undefined && newest >= run) return newest === run ? 'claimed' : 'superseded';
    const key = keyOf(job, path);
    const set = { run, ttl: Math.ceil(now / 1000) + limits.exports.jobDefinitionDays * DAY_SECONDS };
    const outcome = await table.write(
      newest === undefined
        ? { kind: 'insert', key, set }
        : { kind: 'update', key, set, expect: { run: newest } },
    );
    // After a refusal, the stored run is later than the run that was read. So this ends.
    return outcome === 'applied' ? 'claimed' : claimPath(job, path, now);
  };
  return {
    isSuperseded: async (job, path) => ((await newestRun(job, path)) ?? 0) > job.run,
    claimPath,
  };
};
