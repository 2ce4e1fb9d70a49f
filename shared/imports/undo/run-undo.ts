/** `undoImport`: takes back what a job brought, range by range, as the only step of its workflow. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { findLost, givenOut } from '../../ingest/find-lost.ts';
import { readUndoRange, type LoggedRange } from '../../ingest/read-undo-log.ts';
import { lostObject, undoJobFolder, undoListKey } from '../../ingest/undo-log.ts';
import { addCounts, noCounts, type UndoCounts } from '../../ingest/undo-counts.ts';
import {
  undoPeople,
  type LoggedPerson,
  type UndoAttempt,
  type UndoPeopleDeps,
} from '../../ingest/undo-people.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { forSeconds, type HasTime } from '../../runtime/time-budget.ts';
import type { Barrier } from '../jobs/read-progress.ts';
import type { SettleAnswer } from '../jobs/settle-import.ts';
import { changeJob, existingJob, type ChangeDeps } from '../repository/change-job.ts';
import type { ImportJob, Undo } from '../items/import-job.ts';
import type { JobReference } from '../items/job-messages.ts';
import { emptiedSegments, removeEmptied, type RemoveDeps } from './emptied-segments.ts';
import { takeUndoTurn } from './undo-turn.ts';

export interface RunUndoDeps extends UndoPeopleDeps, ChangeDeps, RemoveDeps {
  readonly work: Pick<ObjectStore, 'get' | 'list' | 'put'>;
  readonly barrier: Barrier;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly ids: Ids;
  /** Measures the sizes of segments of a property, where it can afford that now; never fails. */
  readonly measure: (property: number) => Promise<void>;
}

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/**
 * Undoes a job as far as the time of a call allows; the workflow repeats the step until it is done. First the job waits
 * for its turn and gets its mark: from then on no writer stores a value of the job. Then all people in its undo log are
 * processed, range by range. Then the step waits until the index shows everybody, and removes the segments that the undo
 * has emptied. Each range of people or segments is counted once, with the place where the next range begins, so the step
 * can be repeated from any point. Nothing is left to undo once the property was deleted.
 */
export const runUndo = async (deps: RunUndoDeps, reference: JobReference): Promise<SettleAnswer> => {
  if (!(await deps.imports.job(reference.property, reference.job))) return { done: true, wait_seconds: 0 };
  const begun = await begunUndo(deps, reference);
  if (!begun) return waiting(deps, reference);
  const hasTime = forSeconds(deps.clock, limits.imports.undoSeconds);
  const passed = begun.passed ?? (await processPeople(deps, reference, hasTime));
  if (passed === null) return again;
  if (!(await deps.barrier.isSettled(reference.property, passed + CLOCK_SKEW_MS)))
    return waiting(deps, reference);
  if (!(await clearSegments(deps, reference, hasTime))) return again;
  await deps.measure(reference.property);
  await changeUndo(deps, reference, (seen) =>
    seen.finished === null ? { ...seen, finished: deps.clock() } : undefined,
  );
  return { done: true, wait_seconds: 0 };
};

/** The workflow calls the step again at once. */
const again: SettleAnswer = { done: false, wait_seconds: 1 };

/**
 * Begins the undo of the job, unless it has begun; `undefined` while another undo of the property has its turn. First the
 * mark, then the list of the log: a writer whose entries the list lacks finds the mark, and makes no write. The list is
 * made once, because such entries must not count in a later run either.
 */
const begunUndo = async (deps: RunUndoDeps, reference: JobReference): Promise<Undo | undefined> => {
  const { undo } = await jobOf(deps, reference);
  if (!undo) throw new Error('import: a job is to be undone that nobody asked to undo');
  if (undo.log !== null) return undo;
  if (!(await takeUndoTurn(deps, reference))) return undefined;
  await changeUndo(deps, reference, (seen) =>
    seen.begun === null ? { ...seen, begun: deps.clock() } : undefined,
  );
  await storeList(deps, reference, null, await objectsOf(deps, reference, undo));
  return begunUndo(deps, reference);
};

/**
 * The objects of the undo log of a job. Some of them may have expired while the undo waited for others. Then nobody
 * knows whose entries are lost, so the list also has a lost object with the ordinals of everybody.
 */
const objectsOf = async (
  { work, table, clock }: RunUndoDeps,
  { property, job }: JobReference,
  { started }: Undo,
): Promise<readonly string[]> => {
  const objects = await work.list(undoJobFolder(property, job));
  if (clock() - started <= SURE_MS) return objects.toSorted();
  return [...objects, lostObject(property, job, await givenOut(table, property))].toSorted();
};

/** An undo is asked for when its oldest object has at least this long to live. */
const SURE_MS = (limits.imports.retentionDays - limits.imports.undoDays) * DAY_MS;

/** Stores a list of the objects of the log in place of the list `seen`, unless another run has done so. */
const storeList = async (
  deps: RunUndoDeps,
  reference: JobReference,
  seen: string | null,
  objects: readonly string[],
): Promise<void> => {
  const log = undoListKey(reference.property, reference.job, deps.ids.hex(8));
  await deps.work.put(log, JSON.stringify(objects), { contentType: 'application/json' });
  await changeUndo(deps, reference, (undo) => (undo.log === seen ? { ...undo, log } : undefined));
};

const objectList = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

const readList = async (
  work: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly string[] | undefined> => {
  const bytes = await work.get(key);
  return bytes && v.parse(objectList, Buffer.from(bytes).toString('utf8'));
};

const jobOf = ({ imports }: ChangeDeps, { property, job }: JobReference): Promise<ImportJob> =>
  existingJob(imports, property, job);

const changeUndo = (
  deps: ChangeDeps,
  reference: JobReference,
  change: (undo: Undo) => Undo | undefined,
): Promise<ImportJob> =>
  changeJob(deps, reference, ({ undo }) => {
    const changed = undo && change(undo);
    return changed ? { undo: changed } : undefined;
  });

const waiting = async (deps: RunUndoDeps, reference: JobReference): Promise<SettleAnswer> => {
  const { undo } = await jobOf(deps, reference);
  return {
    done: false,
    wait_seconds: secondsToNextPoll(deps.clock() - (undo?.passed ?? undo?.started ?? 0)),
  };
};

/** Processes ranges of people while there is time; returns when the last range was done, `null` when ranges are left. */
const processPeople = async (
  deps: RunUndoDeps,
  reference: JobReference,
  hasTime: HasTime,
): Promise<number | null> => {
  const noteLost = emptiedSegments(deps, reference);
  for (;;) {
    const { undo } = await jobOf(deps, reference);
    if (!undo || undo.next === null) return undo?.passed ?? null;
    const from = undo.next;
    const range = await readWholeRange(deps, reference, { undo, from, hasTime });
    if (!range) {
      if (!hasTime()) return null;
      continue;
    }
    const { people, next } = range;
    const counts = await undoRange(deps, reference, { people, noteLost });
    await changeUndo(deps, reference, (seen) =>
      // Another run of the step may have counted the range.
      seen.next === from
        ? { ...seen, ...addCounts(seen, counts), next, passed: next === null ? deps.clock() : null }
        : undefined,
    );
    if (!hasTime() && next !== null) return null;
  }
};

interface RangePlace {
  readonly undo: Undo;
  readonly from: number;
  readonly hasTime: HasTime;
}

/** Reads the next range. `undefined`: a part of the log is lost, and was replaced by what is left. */
const readWholeRange = async (
  deps: RunUndoDeps,
  reference: JobReference,
  { undo, from, hasTime }: RangePlace,
): Promise<LoggedRange | undefined> => {
  const objects = undo.log === null ? undefined : await readList(deps.work, undo.log);
  if (!objects) {
    await storeList(deps, reference, undo.log, await objectsOf(deps, reference, undo));
    return undefined;
  }
  const { undoPeople: most, undoRegisters: mostRegisters } = limits.imports;
  const range = await readUndoRange(deps.work, objects, { from, most, mostRegisters });
  if (range.ok) return range.value;
  const { property, job } = reference;
  let left = objects;
  for (const lost of range.error) {
    left = await findLost(deps, { property, job, id: deps.ids.hex(8), objects: left, lost, from });
    if (!hasTime()) break;
  }
  await storeList(deps, reference, undo.log, left);
  return undefined;
};

interface UndoRange extends Pick<UndoAttempt, 'noteLost'> {
  readonly people: readonly LoggedPerson[];
}

const undoRange = async (
  deps: RunUndoDeps,
  { property, job }: JobReference,
  { people, noteLost }: UndoRange,
): Promise<UndoCounts> => {
  const scope = await deps.scopeOf(property);
  const { rowsPerSlice, slicesAtOnce } = limits.imports;
  const run = `undo-${job}-${deps.ids.hex(8)}`;
  const slices = [...batchesOf(people, rowsPerSlice)];
  const counts = await mapLimited(slices, slicesAtOnce, (slice, index) =>
    undoPeople(deps, scope, slice, { job, attemptId: `${run}-${index}`, noteLost }),
  );
  return counts.reduce(addCounts, noCounts);
};

/** Removes the emptied segments while there is time; `false` when segments are left. */
const clearSegments = async (
  deps: RunUndoDeps,
  reference: JobReference,
  hasTime: HasTime,
): Promise<boolean> => {
  for (;;) {
    const { undo } = await jobOf(deps, reference);
    const from = undo?.looked ?? null;
    if (from === null) return true;
    const { last, removed } = await removeEmptied(deps, reference, from);
    await changeUndo(deps, reference, (seen) =>
      // Another run of the step may have counted the range.
      seen.looked === from
        ? { ...seen, looked: last, segments: { removed: seen.segments.removed + removed } }
        : undefined,
    );
    if (!hasTime() && last !== null) return false;
  }
};
