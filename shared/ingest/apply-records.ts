/**
 * Record writer: stores records on profiles, and resolves concurrent writers of one profile by optimistic
 * locking. Each round reads a snapshot of claims, plans all writes in memory, and sends each write on condition
 * that its item is unchanged. Records of a refused write (a conflict) start over in the next round.
 */
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { identityRef, readClaimsOf, type ClaimSnapshot } from '../profiles/identity-claims.ts';
import type { LeftPointer } from '../profiles/pointers.ts';
import { settlePointers } from '../profiles/settle-pointers.ts';
import { readProfileItems } from '../profiles/profile-items.ts';
import {
  commitClaims,
  prepareClaims,
  numberPersons,
  leftBehind,
  leftEarlier,
  pointToPersons,
  endPointersTo,
} from './commit-plan.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import type { Ordinals } from './ordinals.ts';
import type { Met, Newcomers } from './newcomers.ts';
import { releaseClaims } from './release-claims.ts';
import type { GroupCommit } from '../membership/group-commit.ts';
import { JournalWriter, openJournal, type IndexMode, type Trailing } from './journal-writer.ts';
import type { Person } from './batch-person.ts';
import { planRecords, forgotten, objected, ofUndoneJob, outcomeOf, outdated } from './plan-records.ts';
import type { Decision, PendingRecord, WritePlan } from './write-plan.ts';
import { undoEntriesOf, type ProfileChange } from './undo-log.ts';
import { isRestatement, type Restatement, type RestatementBlock, type Restatements } from './restatements.ts';
import { mergeMissedBy, newestRestated, type MergeDeps } from './merge-missed.ts';
import { jobOfOrigin, emptyState, type State } from '../profiles/profile-state.ts';
import type { RecordOutcome } from '../profiles/types.ts';
import { type HybridTimestamp, raisedAbove } from '../runtime/hybrid-timestamp.ts';
import { limits } from '../config/limits.ts';
import { DAY_MS } from '../runtime/clock.ts';
import type { PropertyScope } from '../properties/scope.ts';

export interface ApplyDeps extends MergeDeps {
  readonly ordinals: Ordinals;
  readonly newcomers: Newcomers;
  readonly commit: GroupCommit;
}

/** Options of one attempt to apply a batch. */
export interface ApplyOptions {
  /** Identifies this attempt in the journal; unique per attempt. */
  readonly attemptId: string;
  readonly index: IndexMode;
  /** Whether the records may be stored already, wholly or in part. Their warnings are then repeated. */
  readonly repeated?: boolean;
  /** Takes work that may come after the outcomes, but before the process may freeze. By default the outcomes wait for it. */
  readonly trailing?: Trailing | undefined;
}

/**
 * Upserts records: finds or creates the profile of each record through the claims of its identities, merges the
 * values, announces segment changes in the journal, and writes the difference. Outcomes are in the order of the
 * records. A record that is applied again changes nothing. Throws when the table fails or conflicts do not end.
 * Everything done by then stays consistent, and the records can be applied again.
 */
export const applyRecords = async (
  deps: ApplyDeps,
  scope: PropertyScope,
  records: readonly AcceptedRecord[],
  { attemptId, index, repeated = false, trailing }: ApplyOptions,
): Promise<readonly RecordOutcome[]> => {
  const commit = index === 'now' ? ({ lane: 'request', commit: deps.commit } as const) : {};
  const journal = new JournalWriter(deps.journal, scope.id, attemptId, { ...commit, trailing });
  const outcomes: RecordOutcome[] = [];
  const stored: Decision[] = [];
  const left: LeftPointer[] = [];
  const all: readonly PendingRecord[] = records.map((record, position) => ({
    index: position,
    record,
    refs: record.patch.identities.map((identity) => identityRef(scope, identity)),
  }));
  const retry = { pause: deps.pause, patience: fewRounds, what: 'profiles: records' };
  // A failed round may have written all the same, when the response of the table was lost.
  await retryRemaining(retry, all, (pending, round) => {
    const again = repeated || round > 0;
    return applyRound(deps, scope, {
      ...{ pending, journal, outcomes, stored, left, repeated: again },
      name: `${attemptId}-${round}`,
      unread: !again && deps.newcomers.expected(records[0]?.origin),
    });
  });
  if (repeated) left.push(...(await leftEarlier(deps.table, scope, records, stored)));
  if (left.length > 0) await settlePointers(deps, scope, left);
  // A writer that restates looks at the profile behind its block, and a request looks for blocks behind its profile.
  const [newest] = await Promise.all([newestRestated(deps.restatements, scope.id, stored), journal.end()]);
  if (newest === undefined) return outcomes;
  const options = { attemptId: `${attemptId}-later`, index, repeated, trailing };
  const again = await applyRecords(deps, scope, laterThan(newest, records), options);
  return again.map((outcome, at) => toldBefore(outcome, outcomes[at]));
};

interface Round {
  readonly pending: readonly PendingRecord[];
  readonly journal: JournalWriter;
  readonly outcomes: RecordOutcome[];
  /** The decisions that were carried out. */
  readonly stored: Decision[];
  /** Pointers whose profiles were not written. */
  readonly left: LeftPointer[];
  readonly repeated: boolean;
  /** Identifies the round in the undo log. */
  readonly name: string;
  /** The claims are not read, because nearly all people are new. Those who are not start over, as after any refused claim. */
  readonly unread: boolean;
}

/** What a writer sees who reads no claims. */
const nobody: ClaimSnapshot = { claims: new Map(), entries: new Map() };

/** The records, those of requests with a time after `newest`. */
const laterThan = (newest: HybridTimestamp, records: readonly AcceptedRecord[]): readonly AcceptedRecord[] =>
  records.map((one) => (one.latest === true ? { ...one, stamp: raisedAbove([newest], one.stamp) } : one));

/**
 * The outcome of a record that was stored again with a later time. Only the first time tells what is new about it, unless
 * the person was forgotten since.
 */
export const toldBefore = (outcome: RecordOutcome, first: RecordOutcome | undefined): RecordOutcome => {
  if (!first || !('stamp' in first && 'stamp' in outcome) || first.ordinal !== outcome.ordinal)
    return outcome;
  return { ...first, stamp: outcome.stamp };
};

/** Applies all pending records as far as possible; returns the records that must start over. */
const applyRound = async (
  deps: ApplyDeps,
  scope: PropertyScope,
  { pending: all, journal, outcomes, stored, left, repeated, name, unread }: Round,
): Promise<readonly PendingRecord[]> => {
  const { table, ordinals } = deps;
  const now = deps.clock();
  const refs = all.flatMap((one) => one.refs);
  const [snapshot, marks] = await Promise.all([
    unread ? nobody : readClaimsOf(table, scope.id, refs),
    // A repeated batch of an undone job makes no claims. Only the look behind the undo log decides the race.
    deps.undoLog.undoneAmong(scope.id, jobsOf(all)),
  ]);
  const pending = all.filter((one) => !isOfJob(one, marks));
  for (const one of all)
    if (isOfJob(one, marks)) outcomes[one.index] = { kind: 'refused', refusal: ofUndoneJob };
  const plan = planRecords(snapshot, pending, { now, rules: scope.rules });
  await numberPersons(ordinals, scope.id, plan);
  if (plan.releases.length > 0) await releaseClaims(table, scope.id, plan, now);
  await prepareClaims(table, scope.id, plan);
  const storing = storingOf(plan);
  const { restated, blocks } = restatingIn(deps.restatements, { plan, storing, now });
  const announced = [...plan.persons].filter(
    (person) => !person.failed && person.changed !== undefined && !restated.has(person),
  );
  const repeatedStamps = repeated ? stampsOf(storing) : undefined;
  const changes = changesOf(storing, restated);
  // What is announced about a person whose claim is refused leads to nothing, as when the profile is refused.
  const [writing, { window, beyondLimit }, ...marked] = await Promise.all([
    claimAndPoint(table, scope, plan, announced),
    openJournal(deps, scope, journal, { writing: announced, now, repeatedStamps }),
    deps.undoLog.add(scope.id, name, undoEntriesOf(changes, now)),
    deps.restatements.add(scope.id, name, blocks),
  ]);
  // The records of a marked job are refused in the next round. Other records wait until the undo has been at their people.
  if (marked.some((jobs) => jobs.size > 0)) {
    left.push(...leftBehind(writing));
    return pending;
  }
  await Promise.all([
    journal.writeProfiles(deps, writing, { now, window }),
    failChanged(table, scope.id, restated),
  ]);
  await endPointersTo(table, writing);
  left.push(...leftBehind(writing.filter(({ failed }) => failed)));
  if (!repeated) deps.newcomers.met(all[0]?.record.origin, metIn(plan));
  await mergeMissedBy(deps, scope, { plan, restated, journal, name });
  for (const decision of plan.decisions) {
    if (decision.person.failed) continue;
    outcomes[decision.pending.index] = outcomeOf(decision, beyondLimit.has(decision.person));
    stored.push(decision);
  }
  for (const { index } of plan.outdated) outcomes[index] = { kind: 'refused', refusal: outdated };
  for (const { index } of plan.objected) outcomes[index] = { kind: 'refused', refusal: objected };
  for (const { index } of plan.forgotten) outcomes[index] = { kind: 'forgotten', warnings: [forgotten] };
  const failed = plan.decisions.filter(({ person }) => person.failed).map((decision) => decision.pending);
  return [...failed, ...plan.deferred].sort((a, b) => a.index - b.index);
};

/** Whoever fails was known, or became known meanwhile. */
const metIn = ({ persons }: WritePlan): Met => ({
  all: persons.size,
  known: [...persons].filter(({ entry, failed }) => failed || entry.kind === 'profile').length,
});

/**
 * Makes the claims of a plan, then the pointers to those of the announced people whose claims were made; returns these. A
 * refused claim may leave an ordinal to which nobody ever comes, and a pointer to it would stay.
 */
const claimAndPoint = async (
  table: Table,
  scope: PropertyScope,
  plan: WritePlan,
  announced: readonly Person[],
): Promise<readonly Person[]> => {
  await commitClaims(table, plan);
  const writing = announced.filter(({ failed }) => !failed);
  await pointToPersons(table, scope, writing);
  return writing;
};

/** The job of a record, or of the record that it answers. */
const jobOf = ({ record: { origin = '', answers } }: PendingRecord): number | undefined =>
  jobOfOrigin(answers?.origin ?? origin);

const jobsOf = (records: readonly PendingRecord[]): readonly number[] => [
  ...new Set(records.flatMap((record) => jobOf(record) ?? [])),
];

const isOfJob = (record: PendingRecord, jobs: ReadonlySet<number>): boolean =>
  jobs.size > 0 && jobs.has(jobOf(record) ?? NaN);

/** The decisions on each person that are stored if the person's writes succeed. */
type Storing = ReadonlyMap<Person, readonly Decision[]>;

const storingOf = ({ decisions }: WritePlan): Storing =>
  Map.groupBy(
    decisions.filter(({ person, refusal }) => !refusal && !person.failed),
    ({ person }) => person,
  );

/** The timestamps of the records that go into each person. */
const stampsOf = (storing: Storing): ReadonlyMap<Person, ReadonlySet<HybridTimestamp>> =>
  new Map([...storing].map(([person, decisions]) => [person, new Set(decisions.map(({ stamp }) => stamp))]));

const contributionsOf = (decisions: readonly Decision[]): readonly State[] =>
  decisions.map(({ contribution }) => contribution);

/** The people of a plan whose profiles are not written, because they say everything already, and what is kept instead. */
interface Restating {
  readonly restated: ReadonlySet<Person>;
  readonly blocks: readonly RestatementBlock[];
}

const RENEWED_MS = limits.profiles.renewedDays * DAY_MS;

/**
 * A person with a claim to be made gets a write. So does a person who was stored so long ago that the time of the profile
 * would no longer tell whether anything renews it.
 */
const restatingIn = (
  { choose }: Restatements,
  { plan, storing, now }: { readonly plan: WritePlan; readonly storing: Storing; readonly now: number },
): Restating => {
  const claiming = new Set([...plan.claims, ...plan.closings].map(({ person }) => person));
  const found = new Map<Restatement, Person>();
  for (const [person, decisions] of storing) {
    const { ordinal, entry, changed } = person;
    if (entry.kind !== 'profile' || ordinal === undefined || !changed || claiming.has(person)) continue;
    const { state: stored, bytes, updatedAt } = entry;
    const records = contributionsOf(decisions);
    if (now - updatedAt > RENEWED_MS || !isRestatement(stored, records)) continue;
    found.set({ ordinal, stored, records, bytes }, person);
  }
  const { blocks, written } = choose([...found.keys()]);
  const kept = [...found].filter(([restatement]) => !written.has(restatement));
  return { restated: new Set(kept.map(([, person]) => person)), blocks };
};

/** The changes of a plan, one for each person who gets records. A record that changes nothing may still be hidden. */
const changesOf = (storing: Storing, restated: ReadonlySet<Person>): readonly ProfileChange[] =>
  [...storing].flatMap(([person, decisions]) => {
    const { ordinal, entry } = person;
    const before = entry.kind === 'profile' ? entry.state : emptyState;
    const after = restated.has(person) ? before : person.state;
    const records = contributionsOf(decisions);
    return ordinal === undefined ? [] : [{ ordinal, before, after, records, restored: [] }];
  });

/**
 * Marks persons as failed whose profiles have changed since the snapshot. A restatement writes no profile, so its writer
 * looks again once it is stored. A writer of an older record looks for restatements after its profile write. So one of the
 * two finds the other.
 */
const failChanged = async (table: Table, property: number, persons: Iterable<Person>): Promise<void> => {
  const read = [...persons].flatMap((person) => {
    const { ordinal, entry } = person;
    return ordinal === undefined || entry.kind !== 'profile' ? [] : [{ person, ordinal, w: entry.w }];
  });
  if (read.length === 0) return;
  const ordinals = read.map(({ ordinal }) => ordinal);
  const items = await readProfileItems(table, property, ordinals);
  for (const { person, ordinal, w } of read) if (items.get(ordinal)?.w !== w) person.failed = true;
};
