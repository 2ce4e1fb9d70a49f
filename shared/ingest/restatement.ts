/**
 * Restatement: records of an import job that say only what an earlier job of the same definition said. Their person
 * needs no write, and the records are kept beside the person: see `docs/internals/restatements.md`. Pure rules over states.
 */
import { isDeepStrictEqual } from 'node:util';
import { jobOfOrigin, sourceOfOrigin } from '../profiles/origin.ts';
import {
  dominatorsOf,
  mergeStates,
  registerKey,
  type LwwRegister,
  type State,
} from '../profiles/profile-state.ts';
import { showSameWinners } from '../profiles/resolve-profile.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/** A person whose records of a batch restate the stored profile. */
export interface Restatement {
  readonly ordinal: number;
  /** The stored state. */
  readonly stored: State;
  /** The contributions of the records. */
  readonly records: readonly State[];
  /** Size of the profile that a write would store. */
  readonly bytes: number;
}

/**
 * Whether records leave a stored state as it is, apart from the time and the job of its registers: each register of the
 * records is restated or hidden, no removal among them removes anything, and no older identity or consent becomes the newest.
 */
export const isRestatement = (stored: State, records: readonly State[]): boolean => {
  const isRepeated = (register: LwwRegister): boolean =>
    isRestated(stored, register) || dominatorsOf(stored, register).length > 0;
  if (!records.every((record) => [...record.values()].every(isRepeated))) return false;
  const merged = records.reduce(mergeStates, stored);
  return merged.size === stored.size && showSameWinners(stored, merged);
};

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

/** The registers of one record that repeat values, with the job of the record and the jobs whose values they repeat. */
export interface Restated {
  readonly job: number;
  readonly earlier: ReadonlySet<number>;
  readonly newest: HybridTimestamp;
  readonly registers: readonly LwwRegister[];
}

/** What each record of a restatement repeats. A record of which everything is hidden repeats nothing. */
export const restatedBy = ({ stored, records }: Restatement): readonly Restated[] =>
  records.flatMap((record) => {
    const registers = [...record.values()].filter((register) => isRestated(stored, register));
    const [first] = registers;
    const job = first && jobOfOrigin(first.origin);
    if (!first || job === undefined) return [];
    const earlier = registers.flatMap(
      (register) => jobOfOrigin(stored.get(registerKey(register))?.origin ?? '') ?? [],
    );
    // All registers of a record have its timestamp.
    return [{ job, earlier: new Set(earlier), newest: first.stamp, registers }];
  });

/**
 * Whether a state has all identities of a record. A writer that lost a race may have stored the record at somebody else,
 * after it had noted the record here.
 */
export const holdsAll = (state: State, record: State): boolean =>
  [...record].every(([key, { area }]) => area !== 'identity' || state.has(key));
