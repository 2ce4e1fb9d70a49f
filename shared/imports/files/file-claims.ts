/** File claims: which job each version of a file from SFTP has. Each version starts at most one job. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { changeItem } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table } from '../../table/table.ts';
import type { ImportJob } from '../items/import-job.ts';
import { contentHash, versionHash } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { AcceptedFile } from './file-events.ts';

export interface ClaimDeps {
  readonly imports: Pick<ImportRepository, 'job' | 'nextId'>;
  readonly table: Pick<Table, 'get' | 'getMany' | 'write'>;
  readonly pause: Pause;
}

/** One version of a file in the directory of a definition. */
export interface FileVersion {
  readonly property: number;
  readonly key: string;
  readonly etag: string;
}

const claimItem = v.object({
  w: v.string(),
  /** The job of a version; `null` for a version that the reconciliation leaves alone. */
  job: v.nullable(v.number()),
  /** Whether the workflow of the job was started. Otherwise the function that claimed the version may have died. */
  started: v.boolean(),
});

/** The job and the key of the latest file that had some bytes. */
const contentItem = v.object({ job: v.number(), key: v.string() });

const claimKey = ({ property, key, etag }: FileVersion) => keys.file(property, versionHash(key, etag));

/** The job of a version; `undefined` while the version has none. */
export const jobOfVersion = async (
  { table }: { readonly table: Pick<Table, 'get'> },
  version: FileVersion,
): Promise<number | undefined> => parseClaim(await table.get(claimKey(version)))?.job ?? undefined;

/** The versions without a job that was started, and without a mark that the reconciliation leaves them alone. */
export const unstartedOf = async <Version extends FileVersion>(
  { table }: Pick<ClaimDeps, 'table'>,
  versions: readonly Version[],
): Promise<readonly Version[]> => {
  const found = await table.getMany(versions.map(claimKey));
  return versions.filter((_, index) => {
    const claim = parseClaim(found[index]);
    return claim === undefined || (claim.job !== null && !claim.started);
  });
};

/** Marks a version as one that the reconciliation leaves alone. An event may still start its job. */
export const leaveVersion = async (
  { table }: Pick<ClaimDeps, 'table'>,
  version: FileVersion,
): Promise<void> => {
  await table.write({ kind: 'insert', key: claimKey(version), set: { job: null, started: false } });
};

/** Stores that the workflow of the job of a version was started. */
export const markStarted = async (
  { table }: Pick<ClaimDeps, 'table'>,
  version: FileVersion,
): Promise<void> => {
  const key = claimKey(version);
  const item = await table.get(key);
  const claim = parseClaim(item);
  // If this write loses to another delivery of the event, that delivery starts the same workflow and stores the same.
  if (claim && !claim.started)
    await table.write({ kind: 'update', key, set: { started: true }, expect: { w: claim.w } });
};

/** Whether a file with the same bytes, under any name, has had a job of the same definition. */
export const hasImportedContent = async (
  { imports, table }: Pick<ClaimDeps, 'imports' | 'table'>,
  file: Pick<AcceptedFile, 'property' | 'import' | 'object'>,
): Promise<boolean> => {
  const key = contentKey(file);
  const item = key && (await table.get(key));
  // The function that stored the item may have died before it created the job.
  return (
    item !== undefined && (await imports.job(file.property, v.parse(contentItem, item).job)) !== undefined
  );
};

/**
 * Allocates the job of a version: the same job for each delivery of its event. The first writer of the claim decides. A
 * file that is sent again, with the same bytes and under the same name, belongs to the earlier job while that job reads.
 */
export const claimVersion = async (deps: ClaimDeps, file: AcceptedFile): Promise<number> => {
  const key = claimKey({ property: file.property, key: file.object.key, etag: file.object.etag });
  return changeItem(deps, { key, what: 'imports: a file claim' }, async (item) => {
    const claimed = parseClaim(item)?.job ?? null;
    if (claimed !== null) return { result: claimed };
    const job = await jobOfContent(deps, file);
    return { result: job, set: { job, started: false } };
  });
};

const jobOfContent = async (deps: ClaimDeps, file: AcceptedFile): Promise<number> => {
  const { property, object } = file;
  const key = contentKey(file);
  if (key === undefined) return deps.imports.nextId(property, 'import-job');
  return changeItem(deps, { key, what: 'imports: the content of a file' }, async (item) => {
    const content = item && v.parse(contentItem, item);
    if (content?.key === object.key && mayRead(await deps.imports.job(property, content.job)))
      return { result: content.job };
    const job = await deps.imports.nextId(property, 'import-job');
    return { result: job, set: { job, key: object.key } };
  });
};

/** Whether a job may still read its file. A job that does not exist yet is about to be created. */
const mayRead = (job: ImportJob | undefined): boolean =>
  job === undefined ||
  ['awaiting', 'started', 'readable'].includes(job.phase) ||
  (job.phase === 'split' && job.final === null && job.undo === null);

const parseClaim = (item: StoredItem | undefined) => item && v.parse(claimItem, item);

const contentKey = ({
  property,
  import: importId,
  object,
}: Pick<AcceptedFile, 'property' | 'import' | 'object'>) =>
  object.checksum === null
    ? undefined
    : keys.fileContent(property, contentHash(importId, object.checksum, object.size));
