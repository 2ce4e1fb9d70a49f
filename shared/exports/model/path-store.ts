/** Path store: remembers the newest run of an export that sends a file to a path of the client's server or bucket. */
import { limits } from '../../config/limits.ts';
import { type NewestClaim, newestClaim } from '../../deliveries/newest-claim.ts';
import { DAY_MS, ttlAt } from '../../runtime/clock.ts';
import { sha256 } from '../../runtime/hash.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ExportJob } from './items.ts';

type Owner = Pick<ExportJob, 'property' | 'export' | 'run'>;

/** Paths that the runs of an export share. */
export interface PathStore {
  /** Whether a later run of the export has claimed the path. */
  isSuperseded(job: Owner, path: string): Promise<boolean>;
  /**
   * Claims a path for a run, and returns whether a later run has claimed it. The claim expires after the last delivery of
   * every earlier run.
   */
  claimPath(job: Owner, path: string, now: number): Promise<'claimed' | 'superseded'>;
}

/** Paths in the table. */
export const pathStore = (table: Table): PathStore => {
  const claimOf = (job: Owner, path: string): NewestClaim =>
    newestClaim(table, keys.exportPath(job.property, job.export, sha256(path)));
  return {
    isSuperseded: (job, path) => claimOf(job, path).isSuperseded(job.run),
    claimPath: (job, path, now) => {
      const ttl = ttlAt(now + limits.exports.jobDefinitionDays * DAY_MS);
      return claimOf(job, path).claim(job.run, { ttl });
    },
  };
};
