/** Merge of missed records: an older record was stored on a profile that a newer record restated at the same time. */
import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import { readEntries, settlePointers, type LeftPointer } from '../profiles/identity-claims.ts';
import { mergeStates, type State } from '../profiles/profile-state.ts';
import { overLimit, resolveProfile } from '../profiles/resolve-profile.ts';
import { encodeState, type OrdinalEntry } from '../profiles/stored-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { personAt, type Person } from './batch-person.ts';
import { leftBehind, pointToPersons, type StoreDeps } from './commit-plan.ts';
import { type SegmentIds, openJournal, type ChangeJournal, type JournalWriter } from './journal-writer.ts';
import type { Restatements } from './restatements.ts';
import { undoEntriesOf, type ProfileChange, type UndoLog } from './undo-log.ts';
import { missingRule, type UseRules } from './use-rules.ts';

/** Ports of a merge into known profiles. */
export interface MergeDeps extends StoreDeps {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly segments: SegmentIds;
  readonly journal: ChangeJournal;
  readonly brands: BrandVersionSource;
  readonly undoLog: UndoLog;
  readonly restatements: Restatements;
}

/** Where to look for missed records. */
export interface Look {
  /** The profiles as they were just written or read, by ordinal. */
  readonly profiles: ReadonlyMap<number, State>;
  /** The time of the oldest record that was stored there. */
  readonly since: HybridTimestamp;
  readonly journal: JournalWriter;
  /** Identifies the merge in the undo log. */
  readonly name: string;
}

/**
 * Merges restatements into the profiles that they are about, like a writer of the records. Forgotten people are left out,
 * and so is whoever would exceed a limit. A merge is also a write of older records, so the look is repeated for the
 * written profiles until there is nothing to merge. Can be repeated. Throws when the table fails or conflicts do not end.
 */
export const mergeMissed = async (
  deps: MergeDeps,
  scope: PropertyScope,
  { profiles, since, journal, name }: Look,
): Promise<void> => {
  const { table, restatements, undoLog } = deps;
  const retry = { pause: deps.pause, patience: fewRounds, what: 'profiles: restated records' };
  const left: LeftPointer[] = [];
  await retryRemaining(retry, [...profiles.keys()], async (ordinals, round) => {
    const now = deps.clock();
    const looked = round === 0 ? profiles : statesIn(await readEntries(table, scope.id, ordinals));
    const missed = await restatements.over(scope.id, since, looked);
    if (missed.size === 0) return [];
    const stored = await readEntries(table, scope.id, missed.keys());
    const merges = mergesOf(stored, missed, { now, rules: scope.rules });
    const changes = merges.map(({ change }) => change);
    const writing = merges.map(({ person }) => person);
    const [, marked] = await Promise.all([
      openJournal(deps, scope, journal, { writing, now, repeatedStamps: undefined }),
      undoLog.add(scope.id, `${name}-missed-${round}`, undoEntriesOf(changes, now)),
      pointToPersons(table, scope, writing),
    ]);
    // The job of a missed record is left out in the next round. Other undos have been at their people by then.
    const written = marked.size === 0;
    if (written) await journal.writeProfiles(deps, writing, now);
    left.push(...leftBehind(writing.filter(({ failed }) => failed || !written)));
    return changes.map(({ ordinal }) => ordinal);
  });
  if (left.length > 0) await settlePointers(deps, scope, left);
};

const statesIn = (entries: ReadonlyMap<number, OrdinalEntry>): ReadonlyMap<number, State> =>
  new Map([...entries].flatMap(([at, one]) => (one.kind === 'profile' ? [[at, one.state] as const] : [])));

interface Merge {
  readonly person: Person;
  readonly change: ProfileChange;
}

/** The merges that change a profile and do not exceed a limit. */
const mergesOf = (
  entries: ReadonlyMap<number, OrdinalEntry>,
  missed: ReadonlyMap<number, State>,
  { now, rules }: { readonly now: number; readonly rules: UseRules },
): readonly Merge[] =>
  [...missed].flatMap(([ordinal, record]) => {
    const entry = entries.get(ordinal);
    if (entry?.kind !== 'profile') return [];
    const joined = mergeStates(entry.state, record);
    if (joined === entry.state) return [];
    const state = mergeStates(joined, missingRule(joined, rules, { now }));
    const merged = { profile: resolveProfile(state, ordinal, now), state, encoded: encodeState(state) };
    if (overLimit(merged)) return [];
    const person = personAt(ordinal, entry);
    person.state = state;
    person.changed = { encoded: merged.encoded, after: merged.profile };
    return [{ person, change: { ordinal, before: entry.state, after: state, records: [], restored: [] } }];
  });
