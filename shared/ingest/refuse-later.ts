/**
 * Refusal of later records: a forgetting that objects to storage for every identity of its person. The objections come
 * ahead of the tombstone, which ends the list of the identities: a call that dies in between is repeated, and lacks none.
 */
import { parseClaim } from '../profiles/identity-claims.ts';
import { objectionRef, objectionsBehind } from '../profiles/objections.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { mapLimited } from '../runtime/pool.ts';
import { keys } from '../table/keys.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { objectAhead } from './change-objection.ts';
import { logObjection } from './objection-log.ts';
import type { RestrictDeps } from './restrict-person.ts';

interface RefusalDeps extends Pick<RestrictDeps, 'clock' | 'pause'> {
  readonly table: Table;
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
}

/** Objections that are made at the same time. */
const OBJECTIONS_AT_ONCE = 8;

/** Who asks, when (epoch milliseconds), and a name of the attempt that is unique. */
interface Asked {
  readonly user: number;
  readonly now: number;
  readonly attemptId: string;
}

/**
 * Objects to storage for the identities of the person at an ordinal, who is about to be forgotten, and returns how many of
 * them object. Of somebody whose tombstone stands it counts those that object already. Throws as the table does.
 */
export const refuseLater = async (
  deps: RefusalDeps,
  scope: PropertyScope,
  ordinal: number,
  { user, now, attemptId }: Asked,
): Promise<number> => {
  const entry = parseEntry(await deps.table.get(keys.profile(scope.id, ordinal)));
  if (entry.kind === 'forgotten') {
    const items = await deps.table.getMany(entry.unfinished?.claims ?? []);
    return items.filter((item) => parseClaim(item)?.objection?.scope === 'storage').length;
  }
  if (entry.kind !== 'profile') return 0;
  const refs = identitiesOf(entry.state).map((identity) => objectionRef(scope, identity));
  const known = new Set((await objectionsBehind(deps.table, refs)).filter(isStorage).map(({ id }) => id));
  const due = refs.filter(({ id }) => !known.has(id));
  const objection = { scope: 'storage', created: now, created_by: user } as const;
  await mapLimited([...due.entries()], OBJECTIONS_AT_ONCE, async ([at, ref]) => {
    const change = { ...ref, objection };
    await logObjection(deps, scope.id, change, { now, attemptId: `${attemptId}-${at}` });
    await objectAhead(deps, scope.id, change);
  });
  return refs.length;
};

const isStorage = ({ scope }: { readonly scope: string }): boolean => scope === 'storage';
