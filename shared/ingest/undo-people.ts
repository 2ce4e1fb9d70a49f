/** Undo of people: takes the values of an import job away from the profiles that its undo log names. */
import type { PropertyScope } from '../properties/scope.ts';
import {
  followRedirects,
  identityRef,
  readClaims,
  readEntries,
  type ClaimSnapshot,
  type IdentityRef,
} from '../profiles/identity-claims.ts';
import { listedAhead, type LeftPointer } from '../profiles/pointers.ts';
import { settlePointers } from '../profiles/settle-pointers.ts';
import { withdrawalsIn } from '../profiles/contribution.ts';
import { EVERY_USE } from '../profiles/consent.ts';
import { emptyState, isNobody, restrictionIn, stateOf, type State } from '../profiles/profile-state.ts';
import { holdsIdentity, identitiesOf, resolveProfile } from '../profiles/resolve-profile.ts';
import { pointersItem, profileItem, timesAt } from '../profiles/stored-profile.ts';
import { storedStateOf } from '../profiles/stored-state.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { NEVER } from '../runtime/hybrid-timestamp.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/table.ts';
import type { MergeDeps } from './merge-missed.ts';
import { personAt, type Person } from './batch-person.ts';
import { JournalWriter, openJournal, type SegmentIds, type WriteWindow } from './journal-writer.ts';
import { touching, endPointersTo, leftBehind, pointToPersons } from './commit-plan.ts';
import { closing } from '../profiles/tombstone.ts';
import { freeClaim } from './release-claims.ts';
import { restrictPerson, type RestrictDeps } from './restrict-person.ts';
import { undoEntriesOf, type ProfileChange } from './undo-log.ts';
import { fittedChange } from './undo-fit.ts';
import { addCounts, noCounts, type UndoCounts } from './undo-counts.ts';
import { countValues, jobsIn, undoChange, type PersonLog } from './undo-state.ts';
import { isValueSegment } from '../catalogue/identity.ts';
import type { SegmentIdentity } from '../catalogue/types.ts';
import { madeSegments, type SegmentContext } from './record-segments.ts';

/** Ports of an undo. */
export type UndoPeopleDeps = MergeDeps & Pick<RestrictDeps, 'segments'>;

/** A person with everything that the undo log of the job says of the person. */
export interface LoggedPerson {
  readonly ordinal: number;
  readonly log: PersonLog;
  /** `false`: a part of the log is lost, so the undo cannot give everything back. */
  readonly isWhole: boolean;
}

/** The job to be undone, and a name for this attempt that is unique and made of ids. */
export interface UndoAttempt {
  readonly job: number;
  readonly attemptId: string;
  /** Called with the ids of value segments before people leave them. */
  readonly noteLost: (segments: readonly number[]) => Promise<void>;
}

/**
 * Takes the values of a job away from these people, and restores what they hid. Every profile is rewritten on condition
 * that it is unchanged since it was read, also a profile without a value of the job: so no writer with an older snapshot
 * brings a value of the job back. An ordinal that never got a profile is closed for the same reason. Profiles that lose
 * every identity stay as empty profiles, which are in no segment, because they stay in moments. Forgotten people stay
 * forgotten. Can be repeated at any point. Throws when the table fails or conflicts do not end.
 */
export const undoPeople = async (
  deps: UndoPeopleDeps,
  scope: PropertyScope,
  people: readonly LoggedPerson[],
  attempt: UndoAttempt,
): Promise<UndoCounts> => {
  const journal = new JournalWriter(deps.journal, scope.id, attempt.attemptId, { lane: 'background' });
  const retry = { pause: deps.pause, patience: fewRounds, what: 'profiles: the undo of an import' };
  const pointers: LeftPointer[] = [];
  /** People who may have lost the identity that objected. */
  const loosened: number[] = [];
  let counts = noCounts;
  await retryRemaining(retry, people, async (left, round) => {
    const planned = await planUndo(deps, scope, left, attempt.job);
    const marked = await markPointers(deps, scope, planned);
    const profiles = planned.profiles.filter(({ logged }) => !marked.has(logged));
    const name = `${attempt.attemptId}-${round}`;
    const refused = await writeUndo(deps, scope, { ...planned, profiles }, { ...attempt, journal, name });
    const failed = new Set([...marked, ...refused]);
    const unwritten = profiles.filter(({ logged }) => failed.has(logged));
    pointers.push(...leftBehind(unwritten.map(({ person }) => person)));
    for (const one of profiles) {
      if (failed.has(one.logged)) continue;
      counts = addCounts(counts, countsOf(one));
      if (one.freed.length > 0 && restrictionIn(one.change.after, EVERY_USE))
        loosened.push(one.logged.ordinal);
    }
    return left.filter((one) => failed.has(one));
  });
  if (pointers.length > 0) await settlePointers(deps, scope, pointers);
  await journal.close();
  for (const ordinal of loosened)
    await restrictPerson(deps, scope, ordinal, `${attempt.attemptId}-${ordinal}`);
  return counts;
};

/** The undo of one stored profile. */
interface UndoneProfile {
  readonly logged: LoggedPerson;
  readonly person: Person;
  readonly change: ProfileChange;
  /** Whether the log has everything that the job hid, and the profile has room for it. */
  readonly isWhole: boolean;
  /** Claims of identities that the profile no longer has, as they were read before the profile. */
  readonly freed: readonly IdentityRef[];
}

interface UndoPlan {
  readonly snapshot: ClaimSnapshot;
  readonly profiles: readonly UndoneProfile[];
  /** People whose ordinals have no item yet. */
  readonly missing: readonly LoggedPerson[];
  readonly now: number;
}

/** Reads the claims first and the profiles afterwards: see `freeClaims`. */
const planUndo = async (
  { table, clock, restatements, undoLog }: UndoPeopleDeps,
  scope: PropertyScope,
  people: readonly LoggedPerson[],
  job: number,
): Promise<UndoPlan> => {
  const now = clock();
  const refs = new Map(people.map((one) => [one, identitiesBrought(scope, one.log)]));
  const claimKeys = new Map([...refs.values()].flat().map(({ key }) => [key.pk, key]));
  const snapshot = await readClaims(table, scope.id, [...claimKeys.values()]);
  const unread = people.filter(({ ordinal }) => !snapshot.entries.has(ordinal)).map(({ ordinal }) => ordinal);
  const entries = new Map([...snapshot.entries, ...(await readEntries(table, scope.id, unread))]);
  const stored = people.flatMap(({ ordinal }) => {
    const entry = entries.get(ordinal);
    return entry?.kind === 'profile' ? [[ordinal, entry.state] as const] : [];
  });
  const [before, restated] = await Promise.all([
    undoLog.undoneAmong(scope.id, [...new Set(people.flatMap(({ log }) => [...jobsIn(log)]))]),
    restatements.over(scope.id, NEVER, new Map(stored)),
  ]);
  const profiles: UndoneProfile[] = [];
  const missing: LoggedPerson[] = [];
  for (const logged of people) {
    const { ordinal, log } = logged;
    const entry = entries.get(ordinal) ?? { kind: 'empty' };
    if (entry.kind === 'empty') missing.push(logged);
    if (entry.kind !== 'profile') continue;
    const context = { job, before, restated: restated.get(ordinal) ?? emptyState, isWhole: logged.isWhole };
    const fitted = fittedChange(undoChange(ordinal, entry.state, log, context), {
      times: timesAt(now, entry),
      rules: scope.rules,
    });
    const { change } = fitted;
    const isWhole = fitted.isWhole && logged.isWhole;
    const person = personAt(ordinal, entry);
    person.state = change.after;
    if (!isSame(entry.state, change.after)) person.changed = fitted;
    const freed = (refs.get(logged) ?? []).filter((ref) => !holdsIdentity(change.after, ref));
    profiles.push({ logged, person, change, freed, isWhole });
  }
  return { snapshot, profiles, missing, now };
};

const identitiesBrought = (scope: PropertyScope, { brought }: PersonLog): readonly IdentityRef[] =>
  identitiesOf(stateOf(brought)).map((identity) => identityRef(scope, identity));

const isSame = (one: State, other: State): boolean =>
  one.size === other.size && [...one].every(([key, register]) => other.get(key) === register);

/**
 * Lists the pointers that this undo will store, marked, at whoever does not list them yet. Returns these people: they start
 * over with that list. So an undo that dies, and finds another name or number when it comes again, leaves no pointer that a
 * forgetting does not find, unless a writer of the same person had just found no pointer at the mark.
 */
const markPointers = async (
  { table }: UndoPeopleDeps,
  scope: PropertyScope,
  { profiles }: UndoPlan,
): Promise<ReadonlySet<LoggedPerson>> => {
  const due = profiles.flatMap(({ logged, person: { entry, changed, state } }) => {
    if (entry.kind !== 'profile' || !changed) return [];
    const lists = listedAhead(scope, { before: entry.state, after: state, listed: entry.pointers });
    return lists ? [{ logged, lists, w: entry.w }] : [];
  });
  await table.writeMany(
    due.map(({ logged: { ordinal }, lists, w }) => ({
      ...({ kind: 'update', key: keys.profile(scope.id, ordinal) } as const),
      ...{ set: pointersItem(lists), expect: { w } },
    })),
  );
  return new Set(due.map(({ logged }) => logged));
};

interface WriteContext extends Pick<UndoAttempt, 'noteLost'> {
  readonly journal: JournalWriter;
  /** Identifies the round in the undo logs. */
  readonly name: string;
}

/** Makes the writes of a plan; returns the people whose writes met a conflict. */
const writeUndo = async (
  deps: UndoPeopleDeps,
  scope: PropertyScope,
  { snapshot, profiles, missing, now }: UndoPlan,
  { journal, name, noteLost }: WriteContext,
): Promise<ReadonlySet<LoggedPerson>> => {
  const writing = profiles.flatMap(({ person }) => (person.changed ? [person] : []));
  const entries = undoEntriesOf(
    profiles.map(({ change }) => change),
    now,
  );
  const announce = async (): Promise<WriteWindow> => {
    const intended = { writing, now, repeatedStamps: undefined };
    const { window, derivations } = await openJournal(deps, scope, journal, intended);
    await noteLost(await lostSegments(deps.segments, scope.id, writing, { now, derivations }));
    return window;
  };
  const [window, marked] = await Promise.all([
    announce(),
    deps.undoLog.add(scope.id, name, entries),
    pointToPersons(deps.table, scope, writing),
  ]);
  // The undos of a property run one after the other, and the values of an undone job are in no profile.
  if (marked.size > 0) throw new Error('profiles: a profile has values of a job that was undone before');
  const writes = [
    ...missing.map((one) => ({ one, write: closing(scope.id, one.ordinal) })),
    ...profiles.map((one) => ({
      one: one.logged,
      write: rewriting(scope.id, one, { now, deflateFrom: deps.deflateFrom }),
    })),
  ];
  const outcomes = await window.send(deps.clock, () =>
    deps.table.writeMany(writes.map(({ write }) => write)),
  );
  const failed = new Set(writes.flatMap(({ one }, index) => (outcomes[index] === 'applied' ? [] : [one])));
  const written = profiles.filter(({ logged }) => !failed.has(logged));
  await endPointersTo(
    deps.table,
    written.map(({ person }) => person),
  );
  await freeClaims(deps, snapshot, written, now);
  return failed;
};

const rewriting = (
  property: number,
  { logged, person }: UndoneProfile,
  { now, deflateFrom }: Pick<UndoPeopleDeps, 'deflateFrom'> & { readonly now: number },
): Write => {
  const { entry, changed } = person;
  if (entry.kind !== 'profile') throw new Error('profiles: an undo rewrites stored profiles only');
  if (!changed) return touching(property, logged.ordinal, entry);
  const set = profileItem(storedStateOf(changed.encoded, deflateFrom), now, person.pointed?.lists);
  return { kind: 'update', key: keys.profile(property, logged.ordinal), set, expect: { w: entry.w } };
};

/**
 * Frees the claims of identities that only the job brought. A writer that stores such an identity again makes its claim
 * again, before the profile. The claims were read before the profiles, and the profiles were rewritten since. So either
 * the claim has changed since it was read, and stays; or the writer's profile write is refused, and the writer starts
 * over with the free claim.
 */
const freeClaims = async (
  { table }: UndoPeopleDeps,
  { claims, entries }: ClaimSnapshot,
  profiles: readonly UndoneProfile[],
  now: number,
): Promise<void> => {
  const writes = new Map<string, Write>();
  for (const { logged, freed, change, person } of profiles) {
    const withdrawn = isNobody(change.after) ? withdrawalsIn(person.state) : [];
    for (const { key } of freed) {
      const claim = claims.get(key.pk);
      if (!claim || claim.ordinal === null) continue;
      if (followRedirects(entries, claim.ordinal).ordinal !== logged.ordinal) continue;
      const kept = { ...claim, withdrawn: [...(claim.withdrawn ?? []), ...withdrawn] };
      const set = freeClaim(claim.forgotten ?? NEVER, now, kept);
      writes.set(key.pk, { kind: 'update', key, set, expect: { w: claim.w } });
    }
  }
  if (writes.size > 0) await table.writeMany([...writes.values()]);
};

const countsOf = ({ logged, change, isWhole }: UndoneProfile): UndoCounts => {
  const values = countValues(change.after, logged.log.brought);
  const isKnown = values.taken_back + values.replaced + values.kept > 0 || !logged.isWhole;
  const removed = Number(isKnown && isNobody(change.after));
  const changed = Number(removed === 0 && values.taken_back > 0);
  return {
    values,
    people: {
      removed,
      changed,
      unchanged: Number(isKnown) - removed - changed,
      not_restored: Number(isKnown && !isWhole),
    },
  };
};

/** The ids of the value segments that at least one of these people is in before the write and not after it. */
const lostSegments = async (
  segments: SegmentIds,
  property: number,
  people: readonly Person[],
  context: SegmentContext,
): Promise<readonly number[]> => {
  const lost = new Map<string, SegmentIdentity>();
  for (const { entry, changed, ordinal = 0 } of people) {
    if (entry.kind !== 'profile' || !changed) continue;
    const after = madeSegments(changed.after, context);
    for (const [key, identity] of madeSegments(
      resolveProfile(entry.state, ordinal, timesAt(context.now, entry)),
      context,
    ))
      if (!after.has(key) && isValueSegment(identity)) lost.set(key, identity);
  }
  if (lost.size === 0) return [];
  return [...(await segments.idsOf(property, [...lost.values()])).values()];
};
