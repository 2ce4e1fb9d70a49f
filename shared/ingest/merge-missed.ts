/** Merge of missed records: an older record was stored on a profile that a newer record restated at the same time. */
import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import { writePhonePointers } from '../profiles/phone-pointers.ts';
import { jobOfOrigin } from '../profiles/origin.ts';
import { mergeStates, type State } from '../profiles/profile-state.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import { encodeState, parseEntry } from '../profiles/stored-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { personAt, type Person } from './batch-person.ts';
import { writeProfiles } from './commit-plan.ts';
import type { SegmentIds } from './index-change.ts';
import { openJournal, type ChangeJournal, type JournalWriter } from './journal-writer.ts';
import { undoEntriesOf, type ProfileChange } from './undo-entries.ts';
import type { UndoLog } from './undo-log.ts';

/** Ports of a merge into known profiles. */
export interface MergeDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly segments: SegmentIds;
  readonly journal: ChangeJournal;
  readonly brands: BrandVersionSource;
  readonly undoLog: UndoLog;
}

/** The missed records of people, by ordinal, and the names of the work. */
export interface MissedRecords {
  readonly missed: ReadonlyMap<number, readonly State[]>;
  readonly journal: JournalWriter;
  /** Identifies the merge in the undo log. */
  readonly name: string;
}

/**
 * Merges missed records into the profiles of their people, like a writer of the records. Records of undone jobs and
 * forgotten people are left out. Returns the ordinals of the written profiles: like every write of a profile, these need
 * another look for announcements. Can be repeated. Throws when the table fails or conflicts do not end.
 */
export const mergeMissed = async (
  deps: MergeDeps,
  scope: PropertyScope,
  { missed, journal, name }: MissedRecords,
): Promise<ReadonlySet<number>> => {
  const written = new Set<number>();
  const retry = { pause: deps.pause, patience: fewRounds, what: 'profiles: restated records' };
  const jobs = jobsIn([...missed.values()].flat());
  await retryRemaining(retry, [...missed.keys()], async (ordinals, round) => {
    const now = deps.clock();
    const [items, undone] = await Promise.all([
      deps.table.getMany(ordinals.map((ordinal) => keys.profile(scope.id, ordinal))),
      deps.undoLog.undoneAmong(scope.id, jobs),
    ]);
    const merges = ordinals.flatMap((ordinal, index) => {
      const entry = parseEntry(items[index]);
      if (entry.kind !== 'profile') return [];
      const records = (missed.get(ordinal) ?? []).filter((record) => !isOfJobs(record, undone));
      const after = records.reduce(mergeStates, entry.state);
      if (after === entry.state) return [];
      const person = personAt(ordinal, entry);
      person.state = after;
      person.changed = { encoded: encodeState(after), after: resolveProfile(after, ordinal, now) };
      return [{ person, change: { ordinal, before: entry.state, after, records, restored: [] } }];
    });
    const changes: readonly ProfileChange[] = merges.map(({ change }) => change);
    const writing: readonly Person[] = merges.map(({ person }) => person);
    const [, marked] = await Promise.all([
      openJournal(deps, scope, journal, { writing, now, repeatedStamps: undefined }),
      deps.undoLog.add(scope.id, `${name}-missed-${round}`, undoEntriesOf(changes, now)),
      writePhonePointers(deps.table, scope, changes),
    ]);
    if (marked.size > 0) return ordinals;
    await journal.writeBeforeDeadline(deps.clock, () => writeProfiles(deps.table, scope.id, writing, now));
    return writing.flatMap(({ failed, ordinal }) => {
      if (ordinal === undefined) return [];
      if (!failed) written.add(ordinal);
      return failed ? [ordinal] : [];
    });
  });
  return written;
};

const jobsIn = (records: readonly State[]): readonly number[] => [
  ...new Set(
    records.flatMap((record) => [...record.values()].flatMap(({ origin }) => jobOfOrigin(origin) ?? [])),
  ),
];

const isOfJobs = (record: State, jobs: ReadonlySet<number>): boolean =>
  jobs.size > 0 && jobsIn([record]).some((job) => jobs.has(job));
