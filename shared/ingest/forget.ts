import { limits } from '../config/limits.ts';
import type { BrandVersions } from '../catalogue/brand-versions.ts';
import { fewRounds, nextRound } from '../runtime/retry.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { indexedSegmentsOf, segmentsOf } from '../catalogue/derive.ts';
import type { Journal } from '../membership/journal.ts';
import type { MomentMembers } from '../membership/moments.ts';
import type { IndexedIdentity } from '../catalogue/types.ts';
import { keys } from '../table/keys.ts';
import type { ApplyDeps } from './apply.ts';
import { identityRef } from '../profiles/claims.ts';
import { freeClaims } from './free-claims.ts';
import { bandsOf } from './index-change.ts';
import { Ledger, type ChangeJournal } from './ledger.ts';
import { raisedAbove, stampOf } from '../profiles/stamp.ts';
import { newestStamp } from '../profiles/state.ts';
import { slotOf, type Slot } from '../profiles/stored.ts';
import { identitiesOf, surface } from '../profiles/surface.ts';
import {
  decodeIds,
  encodeIds,
  tombstoneItem,
  type Removed,
  type Tombstone,
  type Unfinished,
} from '../profiles/tombstone.ts';
import type { SurfacedProfile } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/** What finishing a forgetting needs. No keys of the property. */
export interface FinishDeps extends Pick<ApplyDeps, 'table' | 'clock' | 'pause' | 'membership'> {
  readonly moments: MomentMembers;
  readonly journal: Pick<Journal, 'segmentsWith'>;
}

/** What forgetting a person needs. */
export interface ForgetDeps extends FinishDeps, Pick<ApplyDeps, 'brands'> {
  readonly journal: ChangeJournal & FinishDeps['journal'];
  readonly segments: Pick<SegmentCatalogue, 'findIds'>;
}

/**
 * Forgets the person at an ordinal: journal, then tombstone, then index, then claims, so that whatever is cut off is
 * finished by the next call or by the drainer. When this returns, nothing finds the person any more. Answers what was
 * removed; undefined when there is nobody. `cause` is unique per attempt. Throws when the table fails or races do not end.
 */
export const forgetPerson = async (
  deps: ForgetDeps,
  scope: PropertyScope,
  ordinal: number,
  cause: string,
): Promise<Removed | undefined> => {
  const { table, clock, pause } = deps;
  const key = keys.profile(scope.id, ordinal);
  const ledger = new Ledger(deps.journal, deps.membership, scope, cause, ordinal);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, fewRounds, 'profiles: a person to be forgotten');
    const slot = slotOf(await table.get(key));
    if (slot.kind === 'forgotten') return finish(deps, scope.id, ordinal, slot);
    if (slot.kind !== 'profile') return undefined;
    const unfinished = await unfinishedOf(deps, scope, ordinal, slot);
    await ledger.announce(decodeIds(unfinished.segments).map((segment) => ({ segment, ordinal })));
    // Later than all that is stored, and than what a function with a faster clock has accepted by now: what is redelivered
    // counts as older.
    const stamp = raisedAbove([newestStamp(slot.state)], stampOf(clock() + CLOCK_SKEW_MS));
    const set = tombstoneItem(stamp, unfinished);
    const outcome = await ledger.write(clock, () =>
      table.write({ kind: 'update', key, set, expect: { w: slot.w } }),
    );
    if (outcome === 'refused') continue;
    await finishForgetting(deps, scope.id, ordinal);
    await ledger.retire();
    return unfinished.removed;
  }
};

/** Finishes the forgetting of the person at an ordinal, if one was begun and cut off. */
export const finishForgetting = async (
  deps: FinishDeps,
  property: number,
  ordinal: number,
): Promise<Removed | undefined> => {
  const slot = slotOf(await deps.table.get(keys.profile(property, ordinal)));
  return slot.kind === 'forgotten' ? finish(deps, property, ordinal, slot) : undefined;
};

type Profile = Extract<Slot, { kind: 'profile' }>;

const finish = async (
  deps: FinishDeps,
  property: number,
  ordinal: number,
  { stamp, unfinished, w }: Tombstone,
): Promise<Removed | undefined> => {
  if (!unfinished) return undefined;
  // The index first: as long as a claim leads here, a repeated request finds what is left to do. What the profile was in before
  // its last change is in the journal until it is indexed. No writer announces more that comes true: the tombstone stands.
  const announced = await deps.journal.segmentsWith(property, ordinal);
  const segments = new Set([...decodeIds(unfinished.segments), ...announced]);
  await deps.membership.reindex(
    { id: property },
    [...segments].map((segment) => ({ segment, ordinal })),
  );
  // Moments after that: one that is being made now is copied from what no longer holds the person, or is found here.
  await deps.moments.remove(property, ordinal);
  await freeClaims(deps, property, ordinal, { claims: unfinished.claims, forgotten: stamp });
  // Refused where somebody else has just finished it.
  const key = keys.profile(property, ordinal);
  await deps.table.write({ kind: 'update', key, set: tombstoneItem(stamp, null), expect: { w } });
  return unfinished.removed;
};

const unfinishedOf = async (
  { segments, moments, clock, brands }: ForgetDeps,
  scope: PropertyScope,
  ordinal: number,
  { state, updatedAt }: Profile,
): Promise<Unfinished> => {
  const now = clock();
  const profile = surface(state, ordinal, updatedAt);
  const times = await brands();
  const ids = await segments.findIds(scope.id, [...segmentsSince(profile, now, times).values()]);
  const identities = identitiesOf(state);
  const attributes = [...state.values()].filter(({ area, value }) => area === 'value' && value !== null);
  return {
    claims: identities.map((identity) => identityRef(scope, identity).key),
    segments: encodeIds([...ids.values()]),
    removed: {
      attributes: new Set(attributes.map(({ name }) => name)).size,
      identities: identities.length,
      extra_data: Object.keys(profile.extra).length,
      tags: profile.tags.length,
      social_likes: profile.likes.length,
      sources: profile.sources.length,
      segments: segmentsOf(profile, now, times.at(now)).size - 1,
      moments: await moments.countWith(scope.id, ordinal),
    },
  };
};

/**
 * Segments a profile was in at any time since it was stored, as far as the index may still say so: its age has grown, and
 * the brands may just be changing.
 */
const segmentsSince = (
  profile: SurfacedProfile,
  now: number,
  { all }: BrandVersions,
): ReadonlyMap<string, IndexedIdentity> => {
  const { birthday } = profile.fields;
  const bands = birthday === null ? [] : bandsOf(birthday, profile.updatedAt, now);
  return new Map([...all.flatMap((version) => [...indexedSegmentsOf(profile, now, version)]), ...bands]);
};
