/**
 * Objection log: lists the changes of objections in a table that a restore of the data table does not touch, beside the
 * forgettings, so that they can be made again. It holds only keyed hashes of identities.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { objectionChange, type ObjectionChange } from '../profiles/objections.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import { auditKeys } from '../table/request-keys.ts';
import { keys } from '../table/keys.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { changeObjection } from './change-objection.ts';
import type { RestrictDeps } from './restrict-person.ts';

const logged = v.object({ property: v.number(), change: objectionChange });

/** Logs a change before it is made, so the log misses none. The attempt has a unique name. */
export const logObjection = async (
  { forgettings }: { readonly forgettings: Pick<AppendOnlyTable, 'add'> },
  property: number,
  { id, kind, claim, objection }: ObjectionChange,
  { now, attemptId }: { readonly now: number; readonly attemptId: string },
): Promise<void> =>
  forgettings.add(auditKeys.objection(now, attemptId), {
    property,
    change: { id, kind, claim: { pk: claim.pk, sk: claim.sk }, objection: objection && { ...objection } },
    ttl: ttlAt(now + limits.audit.forgettingDays * DAY_MS),
  });

/** Ports of a replay. */
export interface ReplayObjectionsDeps extends RestrictDeps {
  readonly forgettings: Pick<Table, 'query'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly attemptId: () => string;
}

/** A page of the log: from a time (epoch milliseconds), behind the page before. */
export interface ObjectionPage {
  readonly from: number;
  readonly after: string | undefined;
}

/**
 * Makes the changes of one page of the log again, in their order. Safe to repeat. Returns the number of changes, and the
 * position of the next page.
 */
export const replayObjections = async (
  deps: ReplayObjectionsDeps,
  { from, after }: ObjectionPage,
): Promise<{ readonly looked: number; readonly next: string | undefined }> => {
  const { items, next } = await deps.forgettings.query(auditKeys.objections, {
    from: auditKeys.objection(from, '').sk,
    limit: limits.audit.forgettingsPerCall,
    after,
  });
  for (const item of items) {
    const { property, change } = v.parse(logged, item);
    // A property that was deleted since has no data, and nobody who could object.
    if (!(await deps.table.get(keys.property(property)))) continue;
    await changeObjection(deps, await deps.scopeOf(property), change, `object-${deps.attemptId()}`);
  }
  return { looked: items.length, next };
};
