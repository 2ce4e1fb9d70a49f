/**
 * Refusal of later records: a forgetting that objects to storage for every identity of its person. The objections come
 * ahead of the tombstone, which ends the list of the identities: a call that dies in between is repeated, and lacks none.
 */
import { parseClaim } from '../profiles/identity-claims.ts';
import { objectionRef, objectionsBehind } from '../profiles/objections.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import { parseEntry, type OrdinalEntry } from '../profiles/stored-profile.ts';
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
 * The refusal that goes with one forgetting. `refuse` objects to storage for each identity of a state that does not yet
 * object; it runs on every state that the tombstone may replace, so none that arrives meanwhile is missed. `count` says how
 * many identities it met. `objecting` begins it, in case another call forgets the person first, and counts those of somebody
 * whose tombstone stands. They throw as the table does.
 */
export const refusal = (deps: RefusalDeps, scope: PropertyScope, { user, now, attemptId }: Asked) => {
  const met = new Set<string>();
  const refuse = async (state: Extract<OrdinalEntry, { kind: 'profile' }>['state']): Promise<void> => {
    const refs = identitiesOf(state).map((identity) => objectionRef(scope, identity));
    const known = new Set((await objectionsBehind(deps.table, refs)).filter(isStorage).map(({ id }) => id));
    const due = refs.filter(({ id }) => !known.has(id));
    const objection = { scope: 'storage', created: now, created_by: user } as const;
    await mapLimited(due, OBJECTIONS_AT_ONCE, async (ref) => {
      const change = { ...ref, objection };
      // By id: a later state has other identities, and the log only adds.
      await logObjection(deps, scope.id, change, { now, attemptId: `${attemptId}-${ref.id}` });
      await objectAhead(deps, scope.id, change);
    });
    for (const { id } of refs) met.add(id);
  };
  const objecting = async (ordinal: number): Promise<number> => {
    const entry = parseEntry(await deps.table.get(keys.profile(scope.id, ordinal)));
    if (entry.kind === 'profile') await refuse(entry.state);
    if (entry.kind !== 'forgotten') return 0;
    const items = await deps.table.getMany(entry.unfinished?.claims ?? []);
    return items.filter((item) => parseClaim(item)?.objection?.scope === 'storage').length;
  };
  return { refuse, objecting, count: () => met.size };
};

const isStorage = ({ scope }: { readonly scope: string }): boolean => scope === 'storage';
