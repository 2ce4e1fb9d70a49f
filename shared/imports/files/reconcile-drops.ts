/** `reconcileDrops`: starts the jobs of SFTP files whose events were lost, on a schedule. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { Failures } from '../../runtime/failures.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { ListedObject, ObjectStore } from '../../runtime/ports.ts';
import { dropsPrefix } from '../../properties/folders.ts';
import { parseDropKey } from '../../sftp/paths.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Write } from '../../table/table.ts';
import { type AuditDropDeps, auditFound } from './audit-sftp.ts';
import { checkDrop, type DropDeps } from './check-drop.ts';
import {
  claimVersion,
  type FileVersion,
  hasImportedContent,
  jobOfVersion,
  leaveVersion,
  unstartedOf,
} from './file-claims.ts';
import { startJobOnce } from './start-job.ts';

export interface ReconcileDeps extends DropDeps, Pick<AuditDropDeps, 'audit'> {
  readonly uploads: Pick<ObjectStore, 'head' | 'remove' | 'listAfter'>;
}

/** A pass over all files. Times are in epoch milliseconds. */
interface Pass {
  /** Earlier passes have seen the files of up to this time. */
  readonly since: number;
  readonly began: number;
  /** The last key of the pages that were read; empty at the beginning. */
  readonly after: string;
}

const passItem = v.object({
  w: v.string(),
  since: v.number(),
  began: v.number(),
  after: v.nullable(v.string()),
});

/** Number of files of a page that are offered at once. */
const FILES_AT_ONCE = 8;

/**
 * Starts the jobs of files that no event announced, and returns their number. Transfer Family delivers its events on a
 * best-effort basis. A file is offered to the same rules as the file of an event, so a late event starts no second job.
 *
 * The function reads the list of all files page by page, and stores how far it got. It looks only at files that came
 * since the last pass, with an overlap, and that are old enough for their events. It leaves a file alone when its bytes
 * have had a job of the same definition: the event of its rename may have been lost, and another import of old bytes
 * could undo later changes. If a file fails, the function handles the other files and then throws the first failure;
 * the overlap lets later passes try the file again.
 */
export const reconcileDrops = async (deps: ReconcileDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  let found = 0;
  let stored = await deps.table.get(PASS);
  let pass = passOf(stored, deps.clock());
  while (mayGoOn()) {
    const page = await deps.uploads.listAfter(dropsPrefix, pass.after);
    const started = await mapLimited(
      await unstartedOf(deps, candidatesOf(page, pass)),
      FILES_AT_ONCE,
      (file) => failures.attempt(() => offer(deps, file)),
    );
    found += started.filter((isStarted) => isStarted === true).length;
    const last = page.at(-1);
    if (!(await store(deps, stored, pass, last?.key))) break;
    if (!last) break;
    stored = await deps.table.get(PASS);
    pass = { ...pass, after: last.key };
  }
  failures.throwFirst();
  return found;
};

/** The item of the present pass. */
const PASS = keys.allProperties('drops');

const { dropSettleSeconds, dropOverlapSeconds } = limits.imports;

/** The pass that a call continues; a new pass after the end of the previous one. */
const passOf = (stored: StoredItem | undefined, now: number): Pass => {
  if (!stored) return { since: 0, began: now, after: '' };
  const { since, began, after } = v.parse(passItem, stored);
  return after === null ? { since, began: now, after: '' } : { since, began, after };
};

/** Stores how far a pass got; without `after`, that it has ended. `false` when another call has stored its pass. */
const store = async (
  { table }: ReconcileDeps,
  stored: StoredItem | undefined,
  { since, began }: Pass,
  after: string | undefined,
): Promise<boolean> => {
  const set =
    after === undefined
      ? { since: began - dropSettleSeconds * 1000, began, after: null }
      : { since, began, after };
  const write: Write = stored
    ? { kind: 'update', key: PASS, set, expect: { w: stored.w } }
    : { kind: 'insert', key: PASS, set };
  return (await table.write(write)) === 'applied';
};

interface Candidate extends ListedObject, FileVersion {}

/** The files of a page, in directories of definitions, whose time belongs to a pass. */
const candidatesOf = (page: readonly ListedObject[], { since, began }: Pass): readonly Candidate[] =>
  page.flatMap((object) => {
    const file = parseDropKey(object.key);
    const isNew = object.modified >= since - dropOverlapSeconds * 1000;
    const isOld = object.modified <= began - dropSettleSeconds * 1000;
    return file && isNew && isOld ? [{ ...object, property: file.property }] : [];
  });

/** Starts the job of a file, if the rules of its directory accept it. Returns whether they did. */
const offer = async (deps: ReconcileDeps, file: Candidate): Promise<boolean> => {
  const { key, etag, modified } = file;
  const arrived = new Date(modified).toISOString().replace('.000Z', 'Z');
  const accepted = await checkDrop(deps, { key, etag, arrived });
  if (!accepted.ok) return false;
  const version = { ...file, etag: accepted.value.object.etag };
  const isClaimed = (await jobOfVersion(deps, version)) !== undefined;
  if (!isClaimed && (await hasImportedContent(deps, accepted.value))) {
    await leaveVersion(deps, version);
    return false;
  }
  // The job starts last: until then a later call finds the file again, also after a crash or an outage of the audit log.
  await auditFound(deps, file, await claimVersion(deps, accepted.value));
  await startJobOnce(deps, accepted.value);
  return true;
};
