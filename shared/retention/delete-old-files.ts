/**
 * Delete old files: deletes the files and reports of a property that keeps them for fewer days than the buckets do.
 * `object-places.ts` says which folders these are.
 */
import { jobOfKey, isFileKey } from '../exports/model/work-keys.ts';
import type { JobRef } from '../exports/model/items.ts';
import { needsFile } from '../exports/model/needs-file.ts';
import type { ExportRepository } from '../exports/model/repository.ts';
import { jobOfVersion } from '../imports/files/file-claims.ts';
import { needsFiles } from '../imports/jobs/needs-files.ts';
import { jobOfWorkKey, parseUploadKey } from '../imports/items/object-keys.ts';
import type { ImportRepository } from '../imports/repository/repository.ts';
import { fileFolders, type FileBucket, type FileFolder, type FilePlace } from '../properties/folders.ts';
import { DAY_MS, type Clock } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import type { ListedObject, ObjectStore } from '../runtime/ports.ts';
import type { Table } from '../table/table.ts';

export interface OldFilesDeps {
  readonly buckets: Readonly<Record<FileBucket, Pick<ObjectStore, 'listAfter' | 'removeVersion'>>>;
  /** The table of data. */
  readonly table: Pick<Table, 'get'>;
  readonly imports: Pick<ImportRepository, 'job' | 'tallies' | 'batchesOf' | 'importDeliveries'>;
  readonly exports: Pick<ExportRepository, 'job' | 'definition' | 'deliveries'>;
  readonly clock: Clock;
}

/** A property, and the days for which it keeps files and reports. */
export interface FileRule {
  readonly account: number;
  readonly property: number;
  readonly days: number;
}

/** What one call has done: objects that it deleted, and where the next call goes on; `null` at the end of a pass. */
export interface DeletedFiles {
  readonly deleted: number;
  readonly after: string | null;
}

/** Objects of a page that are deleted at the same time. */
const OBJECTS_AT_ONCE = 16;

/**
 * Goes on with a pass over the files and reports of a property, from the place `after` where the call before stopped (empty
 * at the beginning), while there is time. Deletes what is older than the days of the rule, unless its job still needs it.
 * A job that may wait for an operator can outlive any number of days, so each job is asked. What is kept for its job goes in
 * a later pass, or with the lifecycle of the bucket.
 *
 * Every call may be repeated. An object that was replaced since it was listed stays: each deletion names the version that
 * was listed, so it does no harm either when the process stood still.
 */
export const deleteOldFiles = async (
  deps: OldFilesDeps,
  rule: FileRule,
  { after, mayGoOn }: { readonly after: string; readonly mayGoOn: () => boolean },
): Promise<DeletedFiles> => {
  const folders = fileFolders(rule.account, rule.property);
  // A place in a folder of an earlier version begins a new pass.
  const first = Math.max(
    0,
    folders.findIndex(({ folder }) => after.startsWith(folder)),
  );
  let [at, deleted] = [after, 0];
  for (const place of folders.slice(first)) {
    const { folder } = place;
    // A folder that is entered is progress too, so that empty folders keep no pass from its end.
    if (!at.startsWith(folder)) at = folder;
    for (;;) {
      if (!mayGoOn()) return { deleted, after: at };
      const page = await deps.buckets[place.bucket].listAfter(folder, at);
      const last = page.at(-1);
      if (!last) break;
      deleted += await deleteOld(deps, rule, place, page);
      at = last.key;
    }
  }
  return { deleted, after: null };
};

/** Deletes the old objects of a page that no job needs. Returns their number. */
const deleteOld = async (
  deps: OldFilesDeps,
  rule: FileRule,
  { place, bucket }: FileFolder,
  page: readonly ListedObject[],
): Promise<number> => {
  const until = deps.clock() - rule.days * DAY_MS;
  const old = page.filter((object) => object.modified < until && isFile[place](object));
  const isNeeded = needIn[place](deps, rule);
  const removed = await mapLimited(old, OBJECTS_AT_ONCE, async (object) =>
    (await isNeeded(object)) ? false : deps.buckets[bucket].removeVersion(object.key, object.etag),
  );
  return removed.filter(Boolean).length;
};

const always = (): boolean => true;

/** Whether an object of a place is a file. Others are directories, and the members of exports. */
const isFile: Readonly<Record<FilePlace, (object: ListedObject) => boolean>> = {
  ...{ uploads: always, expanded: always, batches: always, corrections: always },
  ...{ refused: always, warned: always, lists: always, rehearsals: always, work: always },
  sftp: ({ size }) => size > 0,
  files: ({ key }) => isFileKey(key),
};

type IsNeeded = (object: ListedObject) => Promise<boolean>;

/** Asks once about each job, for the objects of one page. */
const once = <Job>(
  idOf: (job: Job) => number,
  ask: (job: Job) => Promise<boolean>,
): ((job: Job) => Promise<boolean>) => {
  const known = new Map<number, Promise<boolean>>();
  return (job) => {
    const answer = known.get(idOf(job)) ?? ask(job);
    known.set(idOf(job), answer);
    return answer;
  };
};

const itself = (id: number): number => id;

/** The need of the import job that a key names. */
const byImportJob =
  (jobOf: (key: string) => number | undefined) =>
  ({ imports }: OldFilesDeps, { property }: FileRule): IsNeeded => {
    const asked = once(itself, async (id) => {
      const job = await imports.job(property, id);
      return job !== undefined && (await needsFiles(imports, job));
    });
    return async ({ key }) => {
      const job = jobOf(key);
      return job !== undefined && asked(job);
    };
  };

/** The need of the job that a file from SFTP has started. A job that is not stored yet is about to be. */
const byDrop = ({ imports, table }: OldFilesDeps, { property }: FileRule): IsNeeded => {
  return async ({ key, etag }) => {
    const id = await jobOfVersion({ table }, { property, key, etag });
    if (id === undefined) return false;
    const job = await imports.job(property, id);
    return job === undefined || needsFiles(imports, job);
  };
};

/** The need of the export job that a key names. */
const byExportJob = ({ exports, clock }: OldFilesDeps): IsNeeded => {
  const asked = once(
    ({ job }: JobRef) => job,
    async (ref) => {
      const job = (await exports.job(ref))?.value;
      return job !== undefined && needsFile(exports, job, clock());
    },
  );
  return async ({ key }) => {
    const ref = jobOfKey(key);
    return ref !== undefined && asked(ref);
  };
};

const byWork = byImportJob(jobOfWorkKey);

const needIn: Readonly<Record<FilePlace, (deps: OldFilesDeps, rule: FileRule) => IsNeeded>> = {
  ...{ expanded: byWork, batches: byWork, corrections: byWork, refused: byWork, warned: byWork },
  ...{ lists: byWork, rehearsals: byWork, work: byExportJob, files: byExportJob, sftp: byDrop },
  uploads: byImportJob((key) => parseUploadKey(key)?.job),
};
