/** Claim release: frees identity claims that lead to nobody, after a forgetting or an abandoned attempt. */
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import type { Key } from '../table/keys.ts';
import type { Attributes, Table, Write } from '../table/table.ts';
import { followRedirects, readClaims, type Claim } from '../profiles/identity-claims.ts';
import type { WritePlan } from './write-plan.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { closing } from '../profiles/tombstone.ts';
import { latestWithdrawals, withdrawalsAttribute, type Withdrawal } from '../profiles/contribution.ts';

/** A free claim keeps the time of the forgetting for this many seconds: longer than any record is under way. */
const FREE_CLAIM_MS = limits.profiles.forgottenDays * DAY_MS;

/** What a claim keeps for whoever has the identity next. */
export interface KeptByClaim extends Pick<Claim, 'objection'> {
  readonly withdrawn?: readonly Withdrawal[] | null | undefined;
}

/**
 * Attributes of a free claim. It expires, unless it keeps what its last owner had withdrawn or an objection. `now` is in
 * milliseconds.
 */
export const freeClaim = (
  forgotten: HybridTimestamp,
  now: number,
  { withdrawn, objection }: KeptByClaim,
): Attributes => {
  const kept = latestWithdrawals(withdrawn ?? []);
  return {
    ordinal: null,
    forgotten,
    withdrawn: withdrawalsAttribute(kept),
    ttl: kept.length > 0 || objection ? null : freeClaimEnd(now),
  };
};

/** When a free claim expires that keeps nothing, in epoch seconds. */
export const freeClaimEnd = (now: number): number => ttlAt(now + FREE_CLAIM_MS);

/**
 * Frees the claims of a plan that lead to nobody. A tombstone closes the provisional ordinal first; otherwise
 * another writer that found the same claim could still store a profile there. If a profile is already stored
 * there, the claim is right and stays. If another writer has changed the claim, it stays too.
 */
export const releaseClaims = async (
  table: Table,
  property: number,
  { releases }: WritePlan,
  now: number,
): Promise<void> => {
  const provisional = [
    ...new Set(releases.flatMap((one) => (one.provisional === undefined ? [] : [one.provisional]))),
  ];
  const outcomes = await table.writeMany(provisional.map((ordinal) => closing(property, ordinal)));
  const taken = new Set(provisional.filter((_, index) => outcomes[index] === 'refused'));
  await table.writeMany(
    releases
      .filter((one) => one.provisional === undefined || !taken.has(one.provisional))
      .map(({ key, seen, forgotten }): Write => {
        const set = freeClaim(forgotten, now, seen);
        return { kind: 'update', key, set, expect: { w: seen.w } };
      }),
  );
};

/** Ports of `freeClaimsOf`. */
export interface FreeClaimsDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Claims of a forgotten person, when the person was forgotten, and what the person had withdrawn. */
export interface FreedClaims {
  readonly claims: readonly Key[];
  readonly forgotten: HybridTimestamp;
  readonly withdrawn: readonly Withdrawal[];
}

/** Frees the claims that lead to the ordinal of a forgotten person. A claim that another writer has taken since stays. */
export const freeClaimsOf = async (
  { table, clock, pause }: FreeClaimsDeps,
  property: number,
  ordinal: number,
  { claims, forgotten, withdrawn }: FreedClaims,
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: claims of a forgotten person' };
  await retryRemaining(retry, claims, async (pending) => {
    const snapshot = await readClaims(table, property, pending);
    const writes = pending.flatMap((key): readonly Write[] => {
      const claim = snapshot.claims.get(key.pk);
      if (!claim || claim.ordinal === null) return [];
      if (followRedirects(snapshot.entries, claim.ordinal).ordinal !== ordinal) return [];
      const set = freeClaim(forgotten, clock(), { ...claim, withdrawn });
      return [{ kind: 'update', key, set, expect: { w: claim.w } }];
    });
    const outcomes = await table.writeMany(writes);
    return writes.filter((_, index) => outcomes[index] === 'refused').map(({ key }) => key);
  });
};
