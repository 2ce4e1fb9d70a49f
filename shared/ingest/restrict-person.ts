/**
 * Restriction of a person: makes the profile and the index agree with what the claims of its identities object to, and with
 * the rules of the property.
 */
import { EVERY_USE, SPECIAL_CATEGORIES, type Use } from '../profiles/consent.ts';
import { identityRef, parseClaim } from '../profiles/identity-claims.ts';
import { mergeStates, newestStamp, restrictionIn, type State } from '../profiles/profile-state.ts';
import { identitiesOf, resolveProfile } from '../profiles/resolve-profile.ts';
import { restrictionsIn, restrictionStatement } from '../profiles/restriction.ts';
import { encodeState, parseEntry, type OrdinalEntry } from '../profiles/stored-profile.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { type SegmentIds, JournalWriter, openJournal } from './journal-writer.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { raisedAbove, stampOf } from '../runtime/hybrid-timestamp.ts';
import { done, fewRounds, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { ApplyDeps } from './apply-records.ts';
import { personAt, type Person } from './batch-person.ts';
import { touching } from './commit-plan.ts';
import { needsRule } from './use-rules.ts';

/** Ports of a restriction. With `commit` the index shows it at the end; otherwise the drainer indexes it. */
export interface RestrictDeps extends Pick<
  ApplyDeps,
  'table' | 'deflateFrom' | 'clock' | 'pause' | 'journal' | 'derivations'
> {
  readonly segments: SegmentIds & Pick<SegmentCatalogue, 'findIds'>;
  readonly commit?: ApplyDeps['commit'];
}

/**
 * Restricts every use of the person at an ordinal if any identity of the person objects, and otherwise ends that; and the
 * same for the special categories of the person by the rules of `scope`. Whoever changes a claim or a rule calls it
 * afterwards. It reads the profile before the claims, and rewrites the profile on condition that it is unchanged, also one
 * that needs no change. So of several calls the last one has seen every change of a claim. A call announces earlier changes
 * again, because an earlier call may have died before the index. The profile counts as stored when it was: neither is a
 * renewal of its data. Does nothing when there is no profile. Throws when the table fails or conflicts do not end.
 */
export const restrictPerson = async (
  deps: RestrictDeps,
  scope: PropertyScope,
  ordinal: number,
  attemptId: string,
): Promise<void> => {
  const { table, clock, pause } = deps;
  const commit = deps.commit ? ({ lane: 'request', commit: deps.commit } as const) : {};
  const journal = new JournalWriter(deps.journal, scope.id, attemptId, commit);
  const retry = { pause, patience: fewRounds, what: 'profiles: a restriction' };
  await retryOnConflict(retry, async () => {
    const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
    if (entry.kind !== 'profile') return done(undefined);
    const isObjecting = await isObjected(table, scope, entry.state);
    const now = clock();
    const person = personAt(ordinal, entry);
    const changes = changesOf(entry.state, isObjecting, needsRule(entry.state, scope.rules, now));
    // Only segments that exist can have somebody who enters none.
    const found = { idsOf: deps.segments.findIds };
    const announce = (segments: SegmentIds, writing: readonly Person[]) =>
      openJournal({ ...deps, segments }, scope, journal, { writing, now, repeatedStamps: undefined });
    await announce(found, changedBefore(ordinal, entry));
    if (changes.length === 0) {
      const touched = await table.write(touching(scope.id, ordinal, entry));
      return touched === 'refused' ? 'conflict' : done(undefined);
    }
    const stamp = raisedAbove([newestStamp(entry.state)], stampOf(now));
    person.state = changes
      .map(({ use, begins }) => restrictionStatement(entry.state, use, begins, { now, stamp }))
      .reduce(mergeStates, entry.state);
    const after = resolveProfile(person.state, ordinal, entry);
    person.changed = { encoded: encodeState(person.state), after };
    const entersNone = isObjecting || changes.every(({ begins }) => begins);
    const { window } = await announce(entersNone ? found : deps.segments, [person]);
    await journal.writeProfiles(deps, [person], { now: entry.updatedAt, window });
    return person.failed ? 'conflict' : done(undefined);
  });
  await journal.end();
};

interface RestrictionChange {
  readonly use: Use;
  readonly begins: boolean;
}

/** The restrictions that must begin or end. */
const changesOf = (
  state: State,
  isObjecting: boolean,
  needsOtherRule: boolean,
): readonly RestrictionChange[] => {
  const changes: RestrictionChange[] = [];
  const begins = (use: Use): boolean => restrictionIn(state, use) === undefined;
  if (begins(EVERY_USE) === isObjecting) changes.push({ use: EVERY_USE, begins: isObjecting });
  if (needsOtherRule) changes.push({ use: SPECIAL_CATEGORIES, begins: begins(SPECIAL_CATEGORIES) });
  return changes;
};

/** The change that an earlier call may have made: between a person without restrictions and one with all. */
const changedBefore = (ordinal: number, entry: Profile): readonly Person[] => {
  const restrictions = new Set(restrictionsIn(entry.state));
  if (restrictions.size === 0) return [];
  const state = new Map([...entry.state].filter(([, register]) => !restrictions.has(register)));
  const free = resolveProfile(state, ordinal, entry);
  const person = personAt(ordinal, { ...entry, state });
  person.changed = { encoded: '', after: { ...free, restricted: true, withoutSpecial: true } };
  return [person];
};

type Profile = Extract<OrdinalEntry, { kind: 'profile' }>;

/** Whether any identity of a person objects. */
const isObjected = async (
  table: Pick<Table, 'getMany'>,
  scope: PropertyScope,
  state: State,
): Promise<boolean> => {
  const items = await table.getMany(identitiesOf(state).map((one) => identityRef(scope, one).key));
  return items.some((item) => parseClaim(item)?.objection);
};
