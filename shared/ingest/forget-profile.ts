/** `forgetProfile`: finds a person, logs the forgetting and forgets the person, for the API. */
import type { UseCase } from '../http/api-types.ts';
import { nobodyFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { followRedirects, identityRef, readEntries, readClaimsOf } from '../profiles/identity-claims.ts';
import { forgetAnnounced, type AnnouncedDeps } from './forget-announced.ts';
import { logForgetting } from './forgetting-log.ts';
import { refusal } from './refuse-later.ts';
import type { DisclosuresOf } from '../profiles/disclosures.ts';
import { lookupKey } from '../profiles/find-profile.ts';
import type { ForgetQuery, LookupQuery } from '../profiles/schemas.ts';
import { holdsIdentity } from '../profiles/resolve-profile.ts';
import type { Identity } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';

export interface ForgetProfileDeps extends AnnouncedDeps {
  readonly disclosuresOf: DisclosuresOf;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /** The log of forgettings, for a restored table. */
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
}

/**
 * Forgets the person that an identity or UUID names, and returns the number of removed items and who may have got the
 * data of the person; 404 when there is no such person. With `refuse_later` it first objects to storage for each identity of
 * the person, and says how many there are.
 */
export const forgetProfile: UseCase<ForgetProfileDeps, ForgetQuery> = async (
  deps,
  { property, query: asked, requestId, now, user },
) => {
  const { refuse_later: refuses, ...query } = asked;
  const scope = await deps.scopeOf(property.id);
  const ordinal = await findOrdinal(deps.table, scope, query);
  if (ordinal === undefined) return err(nobodyFound(property, query));
  await logForgetting(deps, scope, ordinal, { now, attemptId: requestId });
  const refusing = refuses ? refusal(deps, scope, { user: user.id, now, attemptId: requestId }) : undefined;
  const named = {
    ...{ ordinals: [ordinal], attemptId: `forget-${requestId}` },
    ...(refusing && { ahead: refusing.refuse }),
  };
  const forgotten = await forgetAnnounced(deps, scope, named, async () => ({
    disclosures: await deps.disclosuresOf(property.id, ordinal, now),
    before: await refusing?.objecting(ordinal),
  }));
  const removed = forgotten.removed.get(ordinal);
  if (!removed) return err(nobodyFound(property, query));
  const profile_uuid = sealOrdinal(scope.keys.uuid, ordinal);
  const { disclosures, before = 0 } = forgotten.seen;
  const refused = refusing && { refused_identities: before + refusing.count() };
  return ok({ status: 200, body: { profile_uuid, removed, disclosures, ...refused } });
};

/** Finds the profile of a query, or its tombstone, which may have removals left. */
const findOrdinal = async (
  table: Table,
  scope: PropertyScope,
  query: LookupQuery,
): Promise<number | undefined> => {
  const named = lookupKey(scope, query);
  if (!named) return undefined;
  if (!('ordinal' in named)) return findOwner(table, scope, named);
  return followRedirects(await readEntries(table, scope.id, [named.ordinal]), named.ordinal).ordinal;
};

const findOwner = async (
  table: Table,
  scope: PropertyScope,
  identity: Identity,
): Promise<number | undefined> => {
  const ref = identityRef(scope, identity);
  const { claims, entries } = await readClaimsOf(table, scope.id, [ref]);
  const claimed = claims.get(ref.key.pk)?.ordinal;
  if (typeof claimed !== 'number') return undefined;
  const { ordinal, entry } = followRedirects(entries, claimed);
  if (entry.kind === 'forgotten') return ordinal;
  return entry.kind === 'profile' && holdsIdentity(entry.state, identity) ? ordinal : undefined;
};
