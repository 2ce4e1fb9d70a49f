/**
 * Forgettings: a list beside the table of data of who was forgotten. A table that is restored to an earlier time has them again;
 * the list is not restored with it, and says whom to forget again. It holds keyed hashes of identities alone.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { auditKeys } from '../table/audit-keys.ts';
import { keys } from '../table/keys.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { identityRef, ownershipOf, readClaims } from '../profiles/claims.ts';
import { forgetPerson, type ForgetDeps } from './forget.ts';
import { slotOf } from '../profiles/stored.ts';
import { identitiesOf } from '../profiles/surface.ts';
import type { PropertyScope } from '../properties/scope.ts';

const DAY_SECONDS = 86_400;

/** A forgetting as it is stored. */
const forgetting = v.object({
  sk: v.string(),
  property: v.number(),
  ordinal: v.number(),
  claims: v.array(v.object({ pk: v.string(), sk: v.string() })),
});

interface NoteDeps {
  readonly table: Pick<Table, 'get'>;
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
}

/**
 * Notes that the person at an ordinal is about to be forgotten, by all identities. Noted before the person is forgotten, so that
 * none is missing; whoever was noted and then not forgotten asked for it all the same. Nothing is noted where nobody is.
 */
export const noteForgetting = async (
  { table, forgettings }: NoteDeps,
  scope: PropertyScope,
  ordinal: number,
  { now, cause }: { readonly now: number; readonly cause: string },
): Promise<void> => {
  const slot = slotOf(await table.get(keys.profile(scope.id, ordinal)));
  if (slot.kind !== 'profile') return;
  await forgettings.add(auditKeys.forgetting(now, cause), {
    property: scope.id,
    ordinal,
    claims: identitiesOf(slot.state).map((identity) => {
      const { pk, sk } = identityRef(scope, identity).key;
      return { pk, sk };
    }),
    ttl: Math.ceil(now / 1_000) + limits.audit.forgettingDays * DAY_SECONDS,
  });
};

interface ReplayDeps extends ForgetDeps {
  readonly forgettings: Pick<Table, 'query'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly cause: () => string;
}

const command = v.strictObject({
  command: v.literal('forgettings.replay'),
  since: v.pipe(v.string(), v.isoTimestamp()),
  after: v.optional(v.string()),
});

/** How far a replay has come: forgettings looked at, people forgotten again, and where the next call goes on. */
export interface Replayed {
  readonly looked: number;
  readonly forgotten: number;
  readonly next: string | null;
}

const invalid = {
  code: 'invalid',
  message: 'Needs since, the time to which the table was restored (ISO 8601).',
};

/**
 * Forgets again who was forgotten since the time to which the table of data was restored, one page of the list in a call.
 * Forgettings that were under way at that time are taken too. May be called again: who is forgotten stays so.
 */
export const replayForgettings = async (
  deps: ReplayDeps,
  payload: unknown,
): Promise<Result<Replayed, typeof invalid>> => {
  const asked = v.safeParse(command, payload);
  if (!asked.success) return err(invalid);
  const { since, after } = asked.output;
  const from = Date.parse(since) - limits.audit.forgettingMarginSeconds * 1_000;
  const { items, next } = await deps.forgettings.query(auditKeys.forgettings, {
    from: auditKeys.forgetting(from, '').sk,
    limit: limits.audit.forgettingsPerCall,
    ...(after !== undefined && { after }),
  });
  let forgotten = 0;
  for (const item of items) forgotten += await forgetAgain(deps, v.parse(forgetting, item));
  return ok({ looked: items.length, forgotten, next: next ?? null });
};

/**
 * Forgets the person of a forgetting, if the restored table has that person: somebody at the same ordinal who holds one of the
 * identities. Neither is enough by itself. After a restore ordinals are given out again, and an identity may have had another
 * owner before.
 */
const forgetAgain = async (
  deps: ReplayDeps,
  { property, ordinal, claims: noted }: v.InferOutput<typeof forgetting>,
): Promise<number> => {
  const { claims, slots } = await readClaims(deps.table, property, noted);
  const isOwner = [...claims.values()].some((claim) => ownershipOf(slots, claim).owner?.ordinal === ordinal);
  if (!isOwner) return 0;
  const scope = await deps.scopeOf(property);
  const removed = await forgetPerson(deps, scope, ordinal, `forget-${deps.cause()}`);
  return removed ? 1 : 0;
};
