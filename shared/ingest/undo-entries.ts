/**
 * Undo entries: what the undo log of an import job must know about a write to a profile, so that the job can be undone
 * later. A pure rule over states.
 */
import { limits } from '../config/limits.ts';
import { jobOfOrigin } from '../profiles/origin.ts';
import { dominatorsOf, type LwwRegister, type State } from '../profiles/profile-state.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { stampTime } from '../runtime/hybrid-timestamp.ts';

/** Registers of one record that arrived beneath a register of the job. */
export interface LateRecord {
  /** Names of the identity registers of the record. The record counts only at a person who has all of them. */
  readonly identities: readonly string[];
  readonly registers: readonly LwwRegister[];
}

/** What one write did to one person, as far as one job is concerned. */
export interface UndoEntry {
  readonly ordinal: number;
  /** Registers of the job that the write adds to the profile. */
  readonly brought: readonly LwwRegister[];
  /** Registers that leave the profile because of a register of the job. */
  readonly beneath: readonly LwwRegister[];
  /** Registers of records that never got into the profile because of a register of the job. */
  readonly late: readonly LateRecord[];
}

/** A write to a profile, before it is made. */
export interface ProfileChange {
  readonly ordinal: number;
  readonly before: State;
  readonly after: State;
  /** The contributions of the records that the write merges. */
  readonly records: readonly State[];
  /** Registers that the undo of another job merges. */
  readonly restored: readonly LwwRegister[];
}

interface Draft extends UndoEntry {
  readonly brought: LwwRegister[];
  readonly beneath: LwwRegister[];
  readonly late: LateRecord[];
}

/** Entries by the id of the job whose log takes them. */
export type UndoEntries = ReadonlyMap<number, readonly UndoEntry[]>;

/**
 * The entries that must be in the logs before these changes are written. Every register of a job that a change adds is
 * `brought` in the log of that job. Every register that a change removes or keeps out is `beneath` or `late` in the log
 * of each job whose registers dominate it. So a register that is missing in a profile is always in the log of a job that
 * hides it, unless a value of another source hides it for good. Domination is transitive, therefore the logs of these jobs
 * are enough. Registers of one job beneath another register of the same job are left out: an undo removes both.
 */
export const undoEntriesOf = (changes: Iterable<ProfileChange>, now: number): UndoEntries => {
  const found = new Map<number, UndoEntry[]>();
  for (const change of changes) {
    for (const [job, entry] of entriesOf(change, now)) {
      const own = found.get(job) ?? [];
      own.push(entry);
      found.set(job, own);
    }
  }
  return found;
};

const entriesOf = (
  { ordinal, before, after, records, restored }: ProfileChange,
  now: number,
): ReadonlyMap<number, Draft> => {
  const drafts = new Map<number, Draft>();
  const of = (job: number): Draft => {
    const draft = drafts.get(job) ?? { ordinal, brought: [], beneath: [], late: [] };
    drafts.set(job, draft);
    return draft;
  };
  for (const [key, register] of after) {
    const job = before.get(key) === register ? undefined : jobOfOrigin(register.origin);
    if (job !== undefined) of(job).brought.push(register);
  }
  for (const [job, registers] of hiddenIn(after, [...before.values(), ...restored], now))
    of(job).beneath.push(...registers);
  for (const record of records) {
    // A single record of a new person is the whole state.
    if (record === after) continue;
    for (const [job, registers] of hiddenIn(after, record.values(), now))
      of(job).late.push({ identities: identityNames(record), registers });
  }
  return drafts;
};

/** The registers that are hidden in a state, by the jobs that hide them. */
const hiddenIn = (
  after: State,
  registers: Iterable<LwwRegister>,
  now: number,
): ReadonlyMap<number, readonly LwwRegister[]> => {
  const hidden = new Map<number, LwwRegister[]>();
  for (const register of registers) {
    for (const job of hidingJobs(after, register, now)) {
      const own = hidden.get(job) ?? [];
      own.push(register);
      hidden.set(job, own);
    }
  }
  return hidden;
};

const UNDO_MS = limits.imports.undoDays * DAY_MS;

/** The jobs that can still be undone whose registers hide this register of another source. */
const hidingJobs = (state: State, register: LwwRegister, now: number): ReadonlySet<number> => {
  const own = jobOfOrigin(register.origin);
  const jobs = new Set<number>();
  for (const { stamp, origin } of dominatorsOf(state, register)) {
    const job = jobOfOrigin(origin);
    if (job !== undefined && job !== own && now - stampTime(stamp) <= UNDO_MS) jobs.add(job);
  }
  return jobs;
};

/** The names of the identity registers of a record. */
const identityNames = (record: State): readonly string[] =>
  [...record.values()].flatMap(({ area, name }) => (area === 'identity' ? [name] : []));
