/**
 * Lost entries: where an object of an undo log is gone, the profiles still name the job of each value. So what the job
 * brought is found there, and only what it hid is lost.
 */
import { limits } from '../config/limits.ts';
import { jobOfOrigin, type LwwRegister } from '../profiles/profile-state.ts';
import { profileItems } from '../profiles/profile-items.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { type UndoEntry, addFound, lostObject, ordinalsOfObject, type OrdinalRange } from './undo-log.ts';

interface FindDeps {
  readonly table: Table;
  readonly work: Pick<ObjectStore, 'put'>;
}

/** The log to be mended. `id` is unique per call. */
interface LostLog {
  readonly property: number;
  readonly job: number;
  readonly id: string;
  /** Keys of the objects of the log, of which `lost` cannot be read. */
  readonly objects: readonly string[];
  readonly lost: string;
  /** The lowest ordinal whose person is still to be processed. */
  readonly from: number;
}

/** The ordinals that a property has given out. */
export const givenOut = async (table: Pick<Table, 'get'>, property: number): Promise<OrdinalRange> => {
  return { least: 0, most: await readCounter(table, keys.counter(property, 'ordinal')) };
};

/**
 * Replaces a lost object of a log by one with what the profiles of its ordinals show of the job; returns the new list of
 * objects. One call looks at a bounded number of profiles: the rest of the ordinals stays in the list, under the key of an
 * object that does not exist. Nobody stores a value of the job any more, because the job has its mark.
 */
export const findLost = async (
  { table, work }: FindDeps,
  { property, job, id, objects, lost, from }: LostLog,
): Promise<readonly string[]> => {
  const { undoBlocks, undoFound, undoFoundRegisters } = limits.imports;
  const { least, most } = ordinalsOfObject(lost);
  const first = Math.max(least, from);
  const end = Math.min(most + 1, first + undoBlocks * PROFILES_PER_BLOCK);
  const entries: UndoEntry[] = [];
  const ordinals = Array.from({ length: Math.max(end - first, 0) }, (_, offset) => first + offset);
  let next = end;
  let registers = 0;
  for await (const step of profileItems(table, property, ordinals)) {
    for (const [ordinal, item] of step) {
      const brought = broughtBy(job, item);
      if (brought.length === 0) continue;
      entries.push({ ordinal, brought, beneath: [], late: [] });
      registers += brought.length;
    }
    const last = step.at(-1);
    if (!last || (entries.length < undoFound && registers < undoFoundRegisters)) continue;
    next = last[0] + 1;
    break;
  }
  const others = objects.filter((key) => key !== lost);
  if (entries.length > 0) others.push(await addFound(work, { property, job, id }, entries));
  if (next <= most) others.push(lostObject(property, job, { least: next, most }));
  return others.toSorted();
};

/** What a job has in the profile of an item. */
const broughtBy = (job: number, item: StoredItem): readonly LwwRegister[] => {
  const entry = parseEntry(item);
  if (entry.kind !== 'profile') return [];
  return [...entry.state.values()].filter(({ origin }) => jobOfOrigin(origin) === job);
};
