/**
 * Restatement: records of an import job that say only what an earlier job of the same definition said. Their person
 * needs no write. The records stay beneath the earlier job: see `docs/internals/restatements.md`. Pure rules over states.
 */
import { isDeepStrictEqual } from 'node:util';
import { jobOfOrigin, sourceOfOrigin } from '../profiles/origin.ts';
import {
  dominatorOf,
  mergeStates,
  registerKey,
  type LwwRegister,
  type State,
} from '../profiles/profile-state.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { identityNames, type UndoEntry } from './undo-entries.ts';

/** A person whose records of a batch restate the stored profile. */
export interface Restatement {
  readonly ordinal: number;
  /** The stored state. */
  readonly stored: State;
  /** The contributions of the records. */
  readonly records: readonly State[];
}

/**
 * Whether records leave a stored state as it is, apart from the time and the job of its registers: each register of the
 * records is restated or hidden, and no removal among them removes anything.
 */
export const isRestatement = (stored: State, records: readonly State[]): boolean =>
  records.every((record) =>
    [...record.values()].every(
      (register) => isRestated(stored, register) || dominatorOf(stored, register) !== undefined,
    ),
  ) && records.reduce(mergeStates, stored).size === stored.size;

/** Whether a state has a register of an earlier job of the same definition that says the same. */
const isRestated = (stored: State, register: LwwRegister): boolean => {
  const earlier = stored.get(registerKey(register));
  return (
    earlier !== undefined &&
    earlier.stamp <= register.stamp &&
    earlier.tier === register.tier &&
    jobOfOrigin(earlier.origin) !== undefined &&
    sourceOfOrigin(earlier.origin) === sourceOfOrigin(register.origin) &&
    isDeepStrictEqual(earlier.value, register.value)
  );
};

/** The entries of the logs for restatements. */
export interface RestatedEntries {
  /** The restated registers, as late records in the log of each job that they restate. */
  readonly entries: ReadonlyMap<number, readonly UndoEntry[]>;
  /** The newest timestamp of a restated register. */
  readonly newest: HybridTimestamp;
}

/** The entries for these restatements; `undefined` when nothing was restated. */
export const restatedEntriesOf = (restatements: readonly Restatement[]): RestatedEntries | undefined => {
  const entries = new Map<number, UndoEntry[]>();
  let newest: HybridTimestamp | undefined;
  for (const { ordinal, stored, records } of restatements) {
    for (const record of records) {
      for (const [job, registers] of restatedIn(stored, record)) {
        const own = entries.get(job) ?? [];
        const late = [{ identities: identityNames(record), registers }];
        own.push({ ordinal, brought: [], beneath: [], late });
        entries.set(job, own);
        for (const { stamp } of registers) if (newest === undefined || stamp > newest) newest = stamp;
      }
    }
  }
  return newest === undefined ? undefined : { entries, newest };
};

/** The restated registers of a record, by the job that they restate. */
const restatedIn = (stored: State, record: State): ReadonlyMap<number, readonly LwwRegister[]> => {
  const found = new Map<number, LwwRegister[]>();
  for (const register of record.values()) {
    if (!isRestated(stored, register)) continue;
    const job = jobOfOrigin(stored.get(registerKey(register))?.origin ?? '');
    if (job === undefined) continue;
    const own = found.get(job) ?? [];
    own.push(register);
    found.set(job, own);
  }
  return found;
};
