/**
 * Merge of missed records: looks behind a write for newer records that restated its profiles at the same time. A batch
 * merges them into the profiles; a request learns the time that it must exceed.
 */
import type { DerivationSource } from '../catalogue/derivation.ts';
import { readEntries } from '../profiles/identity-claims.ts';
import type { LeftPointer } from '../profiles/pointers.ts';
import { settlePointers } from '../profiles/settle-pointers.ts';
import { jobOfOrigin, mergeStates, type State } from '../profiles/profile-state.ts';
import { overLimit, resolveProfile } from '../profiles/resolve-profile.ts';
import { encodeState, timesAt, type OrdinalEntry } from '../profiles/stored-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { personAt, type Person } from './batch-person.ts';
import { endPointersTo, leftBehind, pointToPersons, type StoreDeps } from './commit-plan.ts';
import { type SegmentIds, openJournal, type ChangeJournal, type JournalWriter } from './journal-writer.ts';
import type { Restatements } from './restatements.ts';
import { undoEntriesOf, type ProfileChange, type UndoLog } from './undo-log.ts';
import { missingRule, type UseRules } from './use-rules.ts';
import type { Decision, WritePlan } from './write-plan.ts';

/** Ports of a merge into known profiles. */
export interface MergeDeps extends StoreDeps {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly segments: SegmentIds;
  readonly journal: ChangeJournal;
  readonly derivations: DerivationSource;
  readonly undoLog: UndoLog;
  readonly restatements: Restatements;
}

/** Where to look for missed records. */
interface Look {
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
const mergeMissed = async (
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
    const [{ window }, marked] = await Promise.all([
      openJournal(deps, scope, journal, { writing, now, repeatedStamps: undefined }),
      undoLog.add(scope.id, `${name}-missed-${round}`, undoEntriesOf(changes, now)),
      pointToPersons(table, scope, writing),
    ]);
    // The job of a missed record is left out in the next round. Other undos have been at their people by then.
    const written = marked.size === 0;
    if (written) await journal.writeProfiles(deps, writing, { now, window });
    await endPointersTo(table, written ? writing : []);
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
    const merged = {
      profile: resolveProfile(state, ordinal, timesAt(now, entry)),
      state,
      encoded: encodeState(state),
    };
    if (overLimit(merged)) return [];
    const person = personAt(ordinal, entry);
    person.state = state;
    person.changed = { encoded: merged.encoded, after: merged.profile };
    return [{ person, change: { ordinal, before: entry.state, after: state, records: [], restored: [] } }];
  });

/** A plan that was carried out. */
interface Written {
  readonly plan: WritePlan;
  readonly restated: ReadonlySet<Person>;
  readonly journal: JournalWriter;
  /** Identifies the merge in the undo log. */
  readonly name: string;
}

/**
 * Merges what restated these profiles and is newer than a record that was now stored there. A repeated record may have
 * been stored earlier, so it looks too, though it changes nothing. Nothing restates a profile that was only now created.
 */
export const mergeMissedBy = async (
  deps: MergeDeps,
  scope: PropertyScope,
  { plan, restated, journal, name }: Written,
): Promise<void> => {
  const older = plan.decisions.filter(
    ({ person, pending, refusal }) =>
      !refusal &&
      !person.failed &&
      pending.record.latest !== true &&
      !restated.has(person) &&
      person.entry.kind !== 'empty',
  );
  const since = oldestOf(older);
  if (since === undefined) return;
  const profiles = new Map(
    older.flatMap(({ person: { ordinal, state } }) =>
      ordinal === undefined ? [] : [[ordinal, state] as const],
    ),
  );
  await mergeMissed(deps, scope, { profiles, since, journal, name });
};

/**
 * The newest time of what restated the profiles before requests changed them, if a request has no later time: the function
 * that accepted the file has a faster clock, or accepted it while the request was under way. Only a profile with values of
 * an import is ever restated.
 */
export const newestRestated = (
  restatements: Restatements,
  property: number,
  stored: readonly Decision[],
): Promise<HybridTimestamp | undefined> => {
  const requested = stored.filter(
    ({ pending, person: { entry }, refusal }) =>
      !refusal && pending.record.latest === true && entry.kind === 'profile' && isOfJobs(entry.state),
  );
  const since = oldestOf(requested);
  if (since === undefined) return Promise.resolve(undefined);
  const ordinals = requested.flatMap(({ person: { ordinal } }) => ordinal ?? []);
  return restatements.newest(property, since, ordinals);
};

/** Whether a state has a value of a job. */
const isOfJobs = (state: State): boolean =>
  [...state.values()].some(({ origin }) => jobOfOrigin(origin) !== undefined);

const oldestOf = (decisions: readonly Decision[]): HybridTimestamp | undefined =>
  decisions.map(({ stamp }) => stamp).sort()[0];
