import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, nextRound } from '../runtime/retry.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes, Table, Write } from '../table/table.ts';
import { follow, readClaims } from '../profiles/claims.ts';
import type { Plan } from './plan.ts';
import { NEVER } from '../profiles/stamp.ts';
import { tombstoneItem } from '../profiles/tombstone.ts';
import type { Stamp } from '../profiles/types.ts';

/** Seconds for which a free claim keeps the stamp of a forgetting: longer than any record is under way. */
const MARKER_SECONDS = limits.profiles.forgottenDays * 86_400;

/** Attributes of the claim of an identity without an owner; it expires. `now` is in milliseconds. */
const freeClaim = (forgotten: Stamp, now: number): Attributes => ({
  ordinal: null,
  forgotten,
  ttl: Math.ceil(now / 1000) + MARKER_SECONDS,
});

/**
 * Frees the claims of a plan that lead to nobody. A provisional ordinal is closed by a tombstone first, or another who
 * found the same claim could still store a profile there; where one has been stored, the claim is right. A claim that has
 * changed is another's matter.
 */
export const releaseClaims = async (
  table: Table,
  property: number,
  { releases }: Plan,
  now: number,
): Promise<void> => {
  if (releases.length === 0) return;
  const vacant = [...new Set(releases.flatMap((one) => (one.vacant === undefined ? [] : [one.vacant])))];
  const outcomes = await table.writeMany(
    vacant.map((ordinal): Write => {
      const key = keys.profile(property, ordinal);
      return { kind: 'insert', key, set: tombstoneItem(NEVER, null) };
    }),
  );
  const taken = new Set(vacant.filter((_, index) => outcomes[index] === 'refused'));
  await table.writeMany(
    releases
      .filter((one) => one.vacant === undefined || !taken.has(one.vacant))
      .map(({ key, seen, forgotten }): Write => {
        const set = freeClaim(forgotten, now);
        return { kind: 'update', key, set, expect: { w: seen.w } };
      }),
  );
};

/** The ports of `freeClaims`. */
export interface FreeClaimsDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Frees those of the claims that lead to a forgotten person's ordinal; what another has taken since is theirs. */
export const freeClaims = async (
  { table, clock, pause }: FreeClaimsDeps,
  property: number,
  ordinal: number,
  { claims, forgotten }: { readonly claims: readonly Key[]; readonly forgotten: Stamp },
): Promise<void> => {
  let pending = claims;
  for (let round = 0; pending.length > 0; round += 1) {
    await nextRound(pause, round, fewRounds, 'profiles: claims of a forgotten person');
    const world = await readClaims(table, property, pending);
    const set = freeClaim(forgotten, clock());
    const writes = pending.flatMap((key): readonly Write[] => {
      const claim = world.claims.get(key.pk);
      if (!claim || claim.ordinal === null) return [];
      if (follow(world.slots, claim.ordinal).ordinal !== ordinal) return [];
      return [{ kind: 'update', key, set, expect: { w: claim.w } }];
    });
    const outcomes = await table.writeMany(writes);
    pending = writes.filter((_, index) => outcomes[index] === 'refused').map(({ key }) => key);
  }
};
