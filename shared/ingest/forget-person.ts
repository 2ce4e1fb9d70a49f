/** Forgetting: replaces a profile by a tombstone, then removes its memberships, moments and claims. */
import { limits } from '../config/limits.ts';
import type { Derivation, Derivations } from '../catalogue/derivation.ts';
import { mapLimited } from '../runtime/pool.ts';
import { done, fewRounds, retryOnConflict } from '../runtime/retry.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { indexedSegmentsOf, segmentsOf } from '../catalogue/derive.ts';
import { keyed } from '../catalogue/identity.ts';
import { shownBy, timedSegmentsOf } from '../catalogue/timed.ts';
import { look, type Look } from '../catalogue/look.ts';
import type { Journal } from '../membership/journal.ts';
import type { MembershipIndex } from '../membership/membership.ts';
import type { MomentMembers } from '../membership/moments.ts';
import type { IndexedIdentity } from '../catalogue/types.ts';
import { keys } from '../table/keys.ts';
import type { ApplyDeps } from './apply-records.ts';
import { identityRef } from '../profiles/identity-claims.ts';
import { pointerKeysOf } from '../profiles/pointer-keys.ts';
import { freeClaimsOf } from './release-claims.ts';
import { JournalWriter, type ChangeJournal } from './journal-writer.ts';
import { raisedAbove, stampOf } from '../runtime/hybrid-timestamp.ts';
import { newestStamp } from '../profiles/profile-state.ts';
import { parseEntry, type OrdinalEntry } from '../profiles/stored-profile.ts';
import { identitiesOf, resolveProfile } from '../profiles/resolve-profile.ts';
import {
  decodeIds,
  encodeIds,
  tombstoneItem,
  type Removed,
  type Tombstone,
  type Unfinished,
} from '../profiles/tombstone.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { withdrawalsIn } from '../profiles/contribution.ts';

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/** Ports of the finishing step. It needs no keys of the property, so the drainer can run it too. */
export interface FinishDeps extends Pick<ApplyDeps, 'table' | 'clock' | 'pause'> {
  readonly membership: Pick<MembershipIndex, 'reindex'>;
  readonly moments: MomentMembers;
  readonly journal: Pick<Journal, 'pairsWith'>;
}

export interface ForgetDeps extends FinishDeps, Pick<ApplyDeps, 'derivations'> {
  readonly journal: ChangeJournal & FinishDeps['journal'];
  readonly segments: Pick<SegmentCatalogue, 'findIds'>;
}

/**
 * Forgets the person at an ordinal. Order: journal, tombstone, index, claims. After a crash the next call or
 * the drainer finishes the work. Once this function returns, no lookup finds the person. Returns the number of
 * removed items; undefined when there is nobody. `attemptId` is unique per attempt. Throws when the table fails
 * or conflicts do not end.
 */
export const forgetPerson = async (
  deps: ForgetDeps,
  scope: PropertyScope,
  ordinal: number,
  attemptId: string,
): Promise<Removed | undefined> => (await forgetPeople(deps, scope, [ordinal], attemptId)).get(ordinal);

/**
 * The same for several people, who share the work on the index and on the moments: best for people of one chunk. With
 * `until` (epoch milliseconds) whoever was stored since then stays, and whoever is forgotten was forgotten then: a record
 * that was accepted later makes a new profile. `ahead` runs on each state that is read, before the tombstone that replaces
 * just that state: a change in between is read again. Returns what was removed of each person who was there.
 */
export const forgetPeople = async (
  deps: ForgetDeps,
  scope: PropertyScope,
  ordinals: readonly number[],
  attemptId: string,
  { until, ahead }: ForgetOptions = {},
): Promise<ReadonlyMap<number, Removed>> => {
  const moments = await deps.moments.countsWith(scope.id, ordinals);
  const begun = await mapLimited(ordinals, PEOPLE_AT_ONCE, (ordinal) => {
    const person = { ordinal, moments: moments.get(ordinal) ?? 0, until, ahead };
    return bury(deps, scope, person, `${attemptId}-${ordinal}`);
  });
  const finished = await finishForgettings(deps, scope.id, ordinals);
  await mapLimited(begun, PEOPLE_AT_ONCE, async (one) => one?.journal.retire());
  const buried = begun.flatMap((one) => (one ? [[one.ordinal, one.removed] as const] : []));
  return new Map([...finished, ...buried]);
};

/** What else a forgetting takes; see `forgetPeople`. */
export interface ForgetOptions {
  readonly until?: number | undefined;
  /** May run again, on a later state. */
  readonly ahead?: ((state: Profile['state']) => Promise<void>) | undefined;
}

/** People whose items are written at the same time. */
const PEOPLE_AT_ONCE = 8;

/** A person to be forgotten, with the number of moments with the person. */
interface DuePerson {
  readonly ordinal: number;
  readonly moments: number;
  readonly until: ForgetOptions['until'];
  readonly ahead: ForgetOptions['ahead'];
}

/** A person whose tombstone stands. The journal leads the drainer to the rest of the work. */
interface Buried {
  readonly ordinal: number;
  readonly journal: JournalWriter;
  readonly removed: Removed;
}

/** Announces the forgetting in the journal and writes the tombstone; undefined when there is no profile that is due. */
const bury = (
  deps: ForgetDeps,
  scope: PropertyScope,
  { ordinal, moments, until, ahead }: DuePerson,
  attemptId: string,
): Promise<Buried | undefined> => {
  const { table, clock, pause } = deps;
  const key = keys.profile(scope.id, ordinal);
  const journal = new JournalWriter(deps.journal, scope.id, attemptId, { forgets: ordinal });
  const retry = { pause, patience: fewRounds, what: 'profiles: a person to be forgotten' };
  return retryOnConflict<Buried | undefined>(retry, async () => {
    const entry = parseEntry(await table.get(key));
    if (entry.kind !== 'profile' || entry.updatedAt >= (until ?? Number.POSITIVE_INFINITY))
      return done(undefined);
    await ahead?.(entry.state);
    const seen = await look(deps, scope.id);
    const unfinished = await unfinishedOf(deps, scope, { ordinal, moments, seen }, entry);
    const pairs = decodeIds(unfinished.segments).map((segment) => ({ segment, ordinal }));
    const window = await journal.open(pairs, seen);
    // The tombstone is later than every stored value, and later than every record that a function with a faster
    // clock has accepted by now. Redelivered records therefore count as older.
    const stamp = raisedAbove([newestStamp(entry.state)], stampOf(until ?? clock() + CLOCK_SKEW_MS));
    const set = tombstoneItem(stamp, unfinished);
    const outcome = await window.send(clock, () =>
      table.write({ kind: 'update', key, set, expect: { w: entry.w } }),
    );
    return outcome === 'refused' ? 'conflict' : done({ ordinal, journal, removed: unfinished.removed });
  });
};

/** Finishes an interrupted forgetting of the person at an ordinal, if there is one. */
export const finishForgetting = async (
  deps: FinishDeps,
  property: number,
  ordinal: number,
): Promise<Removed | undefined> => (await finishForgettings(deps, property, [ordinal])).get(ordinal);

/** Finishes the forgettings of these people that are begun. */
const finishForgettings = async (
  deps: FinishDeps,
  property: number,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, Removed>> => {
  const items = await deps.table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  const left = ordinals.flatMap((ordinal, index) => {
    const entry = parseEntry(items[index]);
    return entry.kind === 'forgotten' && entry.unfinished
      ? [{ ordinal, tombstone: entry, unfinished: entry.unfinished }]
      : [];
  });
  if (left.length > 0) await finish(deps, property, left);
  return new Map(left.map(({ ordinal, unfinished }) => [ordinal, unfinished.removed]));
};

type Profile = Extract<OrdinalEntry, { kind: 'profile' }>;

/** A person whose tombstone stands, and what is left to do. */
interface LeftPerson {
  readonly ordinal: number;
  readonly tombstone: Tombstone;
  readonly unfinished: Unfinished;
}

const finish = async (
  { table, clock, pause, journal, membership, moments }: FinishDeps,
  property: number,
  left: readonly LeftPerson[],
): Promise<void> => {
  const ordinals = left.map(({ ordinal }) => ordinal);
  // The index goes first: while a claim leads here, a repeated request finds the remaining work. Segments that
  // a profile was in before its last change are in the journal until they are indexed. No later journal entry
  // adds a membership, because the tombstone stands.
  const announced = await journal.pairsWith(property, ordinals);
  const own = left.flatMap(({ ordinal, unfinished }) =>
    decodeIds(unfinished.segments).map((segment) => ({ segment, ordinal })),
  );
  await membership.reindex({ id: property }, [...own, ...announced]);
  // Moments come next. A moment in the making is either copied from chunks that no longer contain the people,
  // or found here.
  await moments.remove(property, ordinals);
  await mapLimited(left, PEOPLE_AT_ONCE, async ({ ordinal, tombstone: { stamp, w }, unfinished }) => {
    const { claims, phones, withdrawn } = unfinished;
    await table.writeMany(phones.map((key) => ({ kind: 'delete', key, expect: {} })));
    await freeClaimsOf({ table, clock, pause }, property, ordinal, { claims, forgotten: stamp, withdrawn });
    // The table refuses this write when another call has just finished the work.
    const key = keys.profile(property, ordinal);
    await table.write({ kind: 'update', key, set: tombstoneItem(stamp, null), expect: { w } });
  });
};

const unfinishedOf = async (
  { segments, clock }: ForgetDeps,
  scope: PropertyScope,
  { ordinal, moments, seen }: { readonly ordinal: number; readonly moments: number; readonly seen: Look },
  entry: Profile,
): Promise<Unfinished> => {
  const now = clock();
  const { state, pointers } = entry;
  const profile = resolveProfile(state, ordinal, entry);
  const deciding = seen.derivations;
  const ids = await segments.findIds(scope.id, [...segmentsSince(profile, now, deciding).values()]);
  const identities = identitiesOf(state);
  const attributes = [...state.values()].filter(({ area, value }) => area === 'value' && value !== null);
  return {
    claims: identities.map((identity) => identityRef(scope, identity).key),
    phones: [...pointerKeysOf(scope.id, ordinal, pointers)],
    segments: encodeIds([...ids.values()]),
    withdrawn: [...withdrawalsIn(state)],
    removed: {
      attributes: new Set(attributes.map(({ name }) => name)).size,
      identities: identities.length,
      extra_data: Object.keys(profile.extra).length,
      tags: profile.tags.length,
      social_likes: profile.likes.length,
      sources: profile.sources.length,
      consent: profile.consent.length,
      segments: shownSegments(profile, now, deciding.at(now)),
      moments,
    },
  };
};

/** The number of segments that a lookup shows of a profile, without custom segments. */
const shownSegments = (profile: ResolvedProfile, now: number, derivation: Derivation): number => {
  const { preparing } = derivation.conditions;
  return [...segmentsOf(profile, now, derivation).values()].filter(
    ({ type, id }) => type !== 'everyone' && !(id !== undefined && preparing.has(id)),
  ).length;
};

/**
 * Segments that may list the profile in the index: all segments since it was stored, because time has passed
 * and the brands may be changing.
 */
const segmentsSince = (
  profile: ResolvedProfile,
  now: number,
  { all }: Derivations,
): ReadonlyMap<string, IndexedIdentity> => {
  const shown = shownBy(profile.updatedAt, now);
  return new Map(
    all.flatMap((derivation) => {
      const { conditions } = derivation;
      const timed = timedSegmentsOf(profile, shown, conditions);
      const met = timed.conditions.flat().flatMap((id) => conditions.identityOf(id) ?? []);
      return [...indexedSegmentsOf(profile, now, derivation), ...timed.bands, ...met.map(keyed)];
    }),
  );
};
