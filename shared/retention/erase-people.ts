/** Erase people: forgets the people at some ordinals, each as a request to forget the person does. */
import { limits } from '../config/limits.ts';
import { forgetAnnounced, type AnnouncedDeps } from '../ingest/forget-announced.ts';
import { logForgetting } from '../ingest/forgetting-log.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import type { AppendOnlyTable } from '../table/table.ts';

export interface EraseDeps extends AnnouncedDeps {
  /** The log of forgettings, for a restored table. */
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
  readonly ids: Pick<Ids, 'uuid'>;
}

/** Entries that are added to the log at the same time. */
const ENTRIES_AT_ONCE = 8;

const nothing = (): Promise<void> => Promise.resolve();

/** Cuts ordinals into parts of the size that one call takes. */
export const partsOf = (ordinals: Iterable<number>): Iterable<readonly number[]> =>
  batchesOf(ordinals, limits.rules.peopleAtOnce);

/**
 * Forgets these people because a user asked for it: a restore repeats it. Returns how many of them are forgotten now, also
 * by an earlier attempt. May be repeated.
 */
export const erasePeople = async (
  deps: EraseDeps,
  scope: PropertyScope,
  ordinals: readonly number[],
): Promise<number> => {
  const attemptId = `erase-${deps.ids.uuid()}`;
  const now = deps.clock();
  await mapLimited(ordinals, ENTRIES_AT_ONCE, (ordinal) =>
    logForgetting(deps, scope, ordinal, { now, attemptId: `${attemptId}-${ordinal}` }),
  );
  return (await forgetAnnounced(deps, scope, { ordinals, attemptId }, nothing)).gone.length;
};

/**
 * The same because of a rule: whoever was stored since `until` stays. The log has none of these people: in a restored table
 * their profiles are as old as before, so the next pass finds them again.
 */
export const eraseOutdated = async (
  deps: EraseDeps,
  scope: PropertyScope,
  ordinals: readonly number[],
  until: number,
): Promise<number> => {
  const attemptId = `outdated-${deps.ids.uuid()}`;
  return (await forgetAnnounced(deps, scope, { ordinals, attemptId, until }, nothing)).gone.length;
};
