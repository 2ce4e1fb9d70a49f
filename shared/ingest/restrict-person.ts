/** Restriction: lets a person object to every use, or ends that, in the profile and in every segment. */
import { consentOf, consentValue, EVERY_USE } from '../profiles/consent.ts';
import { mergeStates, newestStamp, restrictionIn, stateOf, type State } from '../profiles/profile-state.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import { encodeState, parseEntry } from '../profiles/stored-profile.ts';
import { utcTimeOf } from '../profiles/text-rules.ts';
import { tiers } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { raisedAbove, stampOf } from '../runtime/hybrid-timestamp.ts';
import { done, fewRounds, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { ApplyDeps } from './apply-records.ts';
import { personAt } from './batch-person.ts';
import { writeProfiles } from './commit-plan.ts';
import { JournalWriter, openJournal } from './journal-writer.ts';

/** Ports of a restriction. */
export type RestrictDeps = Pick<
  ApplyDeps,
  'table' | 'clock' | 'pause' | 'segments' | 'journal' | 'brands' | 'commit'
>;

/** A person and whether the person objects to every use. The attempt has a unique name. */
export interface Restriction {
  readonly ordinal: number;
  readonly isRestricted: boolean;
  readonly attemptId: string;
}

/**
 * Adds the statement of the person at an ordinal, if it changes anything, and returns once the index shows it. Does nothing
 * when there is no profile. Throws when the table fails or conflicts do not end.
 */
export const restrictPerson = async (
  deps: RestrictDeps,
  scope: PropertyScope,
  { ordinal, isRestricted, attemptId }: Restriction,
): Promise<void> => {
  const { table, clock, pause } = deps;
  const journal = new JournalWriter(deps.journal, scope.id, attemptId, { lane: 'request' });
  const retry = { pause, patience: fewRounds, what: 'profiles: a restriction' };
  await retryOnConflict(retry, async () => {
    const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
    if (entry.kind !== 'profile') return done(undefined);
    if ((restrictionIn(entry.state) !== undefined) === isRestricted) return done(undefined);
    const now = clock();
    const person = personAt(ordinal, entry);
    person.state = mergeStates(entry.state, statementOf(entry.state, isRestricted, now));
    const after = resolveProfile(person.state, ordinal, now);
    person.changed = { encoded: encodeState(person.state), after };
    await openJournal(deps, scope, journal, { writing: [person], now, repeatedStamps: undefined });
    await journal.writeBeforeDeadline(clock, () => writeProfiles(table, scope.id, [person], now));
    return person.failed ? 'conflict' : done(undefined);
  });
  await journal.commit(deps.commit);
};

/** The statement, later than every earlier one, also of the same second. */
const statementOf = (state: State, isRestricted: boolean, now: number): State => {
  const times = [...state.values()].flatMap((register) => {
    if (register.area !== 'consent' || register.name !== EVERY_USE) return [];
    const { datetime } = consentOf(register);
    return datetime === null ? [] : [Date.parse(`${datetime.replace(' ', 'T')}Z`) + SECOND_MS];
  });
  const said = isRestricted ? 'withdrawn' : 'given';
  const value = consentValue({ datetime: utcTimeOf(Math.max(now, ...times)), state: said, source: null });
  const stamp = raisedAbove([newestStamp(state)], stampOf(now));
  return stateOf([{ area: 'consent', tier: tiers.stated, name: EVERY_USE, value, stamp, origin: OBJECTION }]);
};

const SECOND_MS = 1_000;

/** The source of these statements, as `explain` shows it. */
const OBJECTION = 'objection';
