/**
 * Forgetting log: lists forgotten people in a table that a restore of the data table does not touch, so that
 * they can be forgotten again. A restored table contains these people. The log holds only keyed hashes of
 * identities.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { auditKeys } from '../table/request-keys.ts';
import { keys } from '../table/keys.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { identityRef, ownershipOf, readClaims } from '../profiles/identity-claims.ts';
import { forgetAnnounced, type AnnouncedDeps } from './forget-announced.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import { replayObjections, type ReplayObjectionsDeps } from './objection-log.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';

/** A forgetting as stored. */
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
 * Logs the forgetting of the person at an ordinal, with all identities, before it starts. So the log misses no forgetting.
 * It may contain a forgetting that never happened, which somebody asked for all the same. Logs nothing when there is no
 * profile.
 */
export const logForgetting = async (
  { table, forgettings }: NoteDeps,
  scope: PropertyScope,
  ordinal: number,
  { now, attemptId }: { readonly now: number; readonly attemptId: string },
): Promise<void> => {
  const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
  if (entry.kind !== 'profile') return;
  await forgettings.add(auditKeys.forgetting(now, attemptId), {
    property: scope.id,
    ordinal,
    claims: identitiesOf(entry.state).map((identity) => {
      const { pk, sk } = identityRef(scope, identity).key;
      return { pk, sk };
    }),
    ttl: ttlAt(now + limits.audit.forgettingDays * DAY_MS),
  });
};

type ReplayDeps = AnnouncedDeps & ReplayObjectionsDeps;

const command = v.strictObject({
  command: v.literal('forgettings.replay'),
  since: v.pipe(v.string(), v.isoTimestamp()),
  after: v.optional(v.string()),
});

/** Progress of a replay: examined entries, people forgotten again, and the position of the next call. */
export interface ReplayProgress {
  readonly looked: number;
  readonly forgotten: number;
  readonly next: string | null;
}

const invalid = {
  code: 'invalid',
  message: 'Give --since the time to which the table was restored, such as 2026-11-23T06:00:00Z.',
};

/** Begins the position of a page of objections. */
const OBJECTIONS = 'objections:';

/**
 * Replays one page of the log: forgets again everybody who was forgotten since the time to which the data table was restored,
 * including forgettings that were under way at that time. Behind the last page come the changes of objections, page by page.
 * Safe to repeat: a forgotten person stays forgotten.
 */
export const replayForgettings = async (
  deps: ReplayDeps,
  payload: unknown,
): Promise<Result<ReplayProgress, typeof invalid>> => {
  const asked = v.safeParse(command, payload);
  if (!asked.success) return err(invalid);
  const { since, after } = asked.output;
  const from = Date.parse(since) - limits.audit.forgettingMarginSeconds * 1_000;
  // Objections come last: a person who was forgotten and objected since is stored by no later record.
  if (after?.startsWith(OBJECTIONS)) {
    const behind = after.slice(OBJECTIONS.length);
    const { looked, next } = await replayObjections(deps, {
      from,
      after: behind === '' ? undefined : behind,
    });
    return ok({ looked, forgotten: 0, next: next === undefined ? null : `${OBJECTIONS}${next}` });
  }
  const { items, next } = await deps.forgettings.query(auditKeys.forgettings, {
    from: auditKeys.forgetting(from, '').sk,
    limit: limits.audit.forgettingsPerCall,
    ...(after !== undefined && { after }),
  });
  let forgotten = 0;
  for (const item of items) forgotten += await forgetAgain(deps, v.parse(forgetting, item));
  return ok({ looked: items.length, forgotten, next: next ?? OBJECTIONS });
};

/**
 * Forgets the person of a log entry, if the restored table contains that person: the profile at the same
 * ordinal that owns one of the identities. Neither condition is enough alone. After a restore ordinals are
 * allocated again, and an identity may have had another owner before.
 */
const forgetAgain = async (
  deps: ReplayDeps,
  { property, ordinal, claims: noted }: v.InferOutput<typeof forgetting>,
): Promise<number> => {
  const { claims, entries } = await readClaims(deps.table, property, noted);
  const isOwner = [...claims.values()].some(
    (claim) => ownershipOf(entries, claim).owner?.ordinal === ordinal,
  );
  if (!isOwner) return 0;
  const scope = await deps.scopeOf(property);
  const named = { ordinals: [ordinal], attemptId: `forget-${deps.attemptId()}` };
  return (await forgetAnnounced(deps, scope, named, () => Promise.resolve())).removed.size;
};
