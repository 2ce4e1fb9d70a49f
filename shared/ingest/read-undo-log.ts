/** Undo log reader: collects what the undo log of a job says about its people, in ranges of ordinals that fit in memory. */
import { mapAhead } from '../runtime/map-ahead.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import type { LoggedPerson } from './undo-people.ts';
import { decodeEntries, isFoundObject, ordinalsOfObject, type LateRecord } from './undo-log.ts';
import { isLoggedIn, type PersonLog } from './undo-state.ts';
import type { LwwRegister } from '../profiles/profile-state.ts';
import { err, ok, type Result } from '../runtime/result.ts';

/** Objects that are read at the same time. */
const OBJECTS_AT_ONCE = 8;

/** The people of a range, in the order of their ordinals. `next` is the first ordinal behind the range, if any. */
export interface LoggedRange {
  readonly people: readonly LoggedPerson[];
  readonly next: number | null;
}

/** Where a range begins, and how much it may have. */
export interface RangeOptions {
  readonly from: number;
  /** Most people. */
  readonly most: number;
  /** Most registers that the log names, unless one person has more. */
  readonly mostRegisters: number;
}

/**
 * Reads the people with the lowest ordinals from `from` on, as many as the options allow, out of these objects of a
 * log. Everything that the log says about a person is in one range. The function keeps about twice as much in memory.
 * The error has the keys of objects that are gone or damaged: without their entries an undo would say that it is
 * complete, and keep values of the job.
 */
export const readUndoRange = async (
  work: Pick<ObjectStore, 'get'>,
  objects: readonly string[],
  { from, most, mostRegisters }: RangeOptions,
): Promise<Result<LoggedRange, readonly string[]>> => {
  const found = new Map<number, Draft>();
  const lost: string[] = [];
  let end = Number.POSITIVE_INFINITY;
  let registers = 0;
  const cut = (): void => {
    const all = [...found].sort(([one], [other]) => one - other);
    let kept = 0;
    const beyond = all.findIndex(([, draft], people) => {
      kept += sizeOfDraft(draft);
      return people === most || (people > 0 && kept > mostRegisters);
    });
    if (beyond === -1) return;
    end = all[beyond]?.[0] ?? end;
    for (const [ordinal, draft] of all.slice(beyond)) {
      found.delete(ordinal);
      registers -= sizeOfDraft(draft);
    }
  };
  const wanted = objects.filter((key) => ordinalsOfObject(key).most >= from);
  const read = async (key: string) => {
    // The keys are in the order of their lowest ordinals, so the range has often ended before the last objects.
    if (ordinalsOfObject(key).least >= end) return undefined;
    return { key, bytes: await work.get(key) };
  };
  for await (const object of mapAhead(wanted, OBJECTS_AT_ONCE, read)) {
    if (!object) continue;
    const entries = object.bytes && decodeEntries(object.bytes);
    if (!entries) lost.push(object.key);
    if (lost.length > 0 || !entries) continue;
    const isFound = isFoundObject(object.key);
    for (const { ordinal, brought, beneath, late } of entries) {
      if (ordinal < from || ordinal >= end) continue;
      const draft = found.get(ordinal) ?? { brought: [], found: [], beneath: [], late: [] };
      (isFound ? draft.found : draft.brought).push(...brought);
      draft.beneath.push(...beneath);
      draft.late.push(...late);
      found.set(ordinal, draft);
      registers += sizeOf({ brought, beneath, late });
    }
    if (found.size > 2 * most || registers > 2 * mostRegisters) cut();
  }
  if (lost.length > 0) return err(lost);
  cut();
  const people = [...found].sort(([a], [b]) => a - b).map(([ordinal, draft]) => personOf(ordinal, draft));
  return ok({ people, next: Number.isFinite(end) ? end : null });
};

const personOf = (ordinal: number, { brought, found, beneath, late }: Draft): LoggedPerson => {
  const log = { brought, beneath, late };
  return { ordinal, log, isWhole: found.every(isLoggedIn(log)) };
};

const sizeOf = ({ brought, beneath, late }: PersonLog): number =>
  late.reduce((sum, record) => sum + record.registers.length, brought.length + beneath.length);

const sizeOfDraft = (draft: Draft): number => sizeOf(draft) + draft.found.length;

interface Draft {
  readonly brought: LwwRegister[];
  /** What the profile showed of the job where an object of the log is lost. */
  readonly found: LwwRegister[];
  readonly beneath: LwwRegister[];
  readonly late: LateRecord[];
}
