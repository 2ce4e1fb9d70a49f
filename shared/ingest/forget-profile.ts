import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { follow, identityRef, readSlots, readWorld } from '../profiles/claims.ts';
import { forgetPerson, type ForgetDeps } from './forget.ts';
import { noteForgetting } from './forgettings.ts';
import { namedBy } from '../profiles/lookup.ts';
import type { LookupQuery } from '../profiles/schemas.ts';
import { holdsIdentity } from '../profiles/surface.ts';
import type { Identity } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from '../profiles/uuid.ts';

/** What forgetting a person on request needs. */
export interface ForgetProfileDeps extends ForgetDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /** Where forgettings are noted, for a restored table. */
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
}

/** Forgets the person that an identity or UUID names, and answers what was removed; 404 when there is nobody. */
export const forgetProfileUseCase =
  (deps: ForgetProfileDeps): UseCase<LookupQuery, undefined> =>
  async ({ property, query, requestId, now }) => {
    const scope = await deps.scopeOf(property.id);
    const ordinal = await findOrdinal(deps.table, scope, query);
    if (ordinal === undefined) return err(problems.notFound());
    await noteForgetting(deps, scope, ordinal, { now, cause: requestId });
    const removed = await forgetPerson(deps, scope, ordinal, `forget-${requestId}`);
    if (!removed) return err(problems.notFound());
    return ok({ status: 200, body: { profile_uuid: sealOrdinal(scope.keys.uuid, ordinal), removed } });
  };

/** Where a query leads: to a profile, or to a tombstone, which may have something left to remove. */
const findOrdinal = async (
  table: Table,
  scope: PropertyScope,
  query: LookupQuery,
): Promise<number | undefined> => {
  const named = namedBy(scope, query);
  if (!named) return undefined;
  if (!('ordinal' in named)) return findOwner(table, scope, named);
  return follow(await readSlots(table, scope.id, [named.ordinal]), named.ordinal).ordinal;
};

const findOwner = async (
  table: Table,
  scope: PropertyScope,
  identity: Identity,
): Promise<number | undefined> => {
  const ref = identityRef(scope, identity);
  const { claims, slots } = await readWorld(table, scope.id, [ref]);
  const claimed = claims.get(ref.key.pk)?.ordinal;
  if (typeof claimed !== 'number') return undefined;
  const { ordinal, slot } = follow(slots, claimed);
  if (slot.kind === 'forgotten') return ordinal;
  return slot.kind === 'profile' && holdsIdentity(slot.state, identity) ? ordinal : undefined;
};
