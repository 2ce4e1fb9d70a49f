/** Audit: compares the membership index of a property with its profiles and repairs it, for the operator. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { check } from '../../http/schema-faults.ts';
import { idSchema } from '../../http/text.ts';
import { sealOrdinal } from '../../profiles/profile-uuid.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { DAY_MS, type Clock } from '../../runtime/clock.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';
import { keys, ORDINALS_PER_CHUNK } from '../../table/keys.ts';
import { readCounter } from '../../table/read-counter.ts';
import { dayOf, startOf, type Day } from '../calendars/days.ts';
import { readProgress } from '../calendars/progress.ts';
import type { MembershipIndex } from '../membership.ts';
import type { IndexedIdentity } from '../../catalogue/types.ts';
import { confirm, type Confirmed, type ConfirmDeps } from './confirm.ts';
import { compare, type CompareDeps } from './window.ts';

/** The payload of the function. `from`: the `next` of the previous call. */
const auditCommand = v.strictObject({
  command: v.literal('audit'),
  property: idSchema,
  repair: v.optional(v.boolean(), false),
  from: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
});

/** `newIndex` creates an index without a cache of directories, because the cached directories may be the wrong ones. */
export interface AuditDeps extends CompareDeps, ConfirmDeps {
  readonly clock: Clock;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly newIndex: () => Pick<MembershipIndex, 'reindex'>;
}

const SPAN = limits.audits.chunksPerCall * ORDINALS_PER_CHUNK;

/**
 * Compares the index with the profiles, one window of ordinals per call, and repairs differences on request. A
 * membership that a writer is about to update is no difference.
 */
export const audit = async (deps: AuditDeps, payload: unknown) => {
  const command = check(auditCommand, payload);
  if (!command.ok) {
    const message = 'The command is not valid; see errors.';
    return { ok: false, error: { code: 'invalid', message, errors: command.faults } } as const;
  }
  const { property, repair } = command.value;
  if (!(await deps.table.get(keys.property(property)))) {
    const message = 'There is no such property.';
    return { ok: false, error: { code: 'unknown_property', message } } as const;
  }
  const end = await readCounter(deps.table, keys.counter(property, 'ordinal'));
  const from = command.value.from - (command.value.from % SPAN);
  const to = from + SPAN;
  const none = { profiles: 0, chunks: 0, missing: 0, extra: 0, directories: 0, busy: 0, segments: [] };
  if (from >= end) return { ok: true, end, next: null, ...none, repaired: 0 } as const;
  const window = { property, from, to };
  // There are no profiles at or above `end`, so the index must not contain any members there.
  const ordinals = Array.from({ length: Math.min(to, end) - from }, (_, index) => from + index);
  const now = deps.clock();
  const suspects = await compare(deps, window, deps.readProfiles(property, ordinals), now);
  const { day } = await readProgress(deps.table, property);
  const confirmed = await confirm(deps, window, suspects, timesSince(day, now));
  const repaired = repair ? await repairIndex(deps, property, confirmed, from) : 0;
  const report = await reportOf(deps, property, confirmed, suspects.segments);
  const next = to < end ? to : null;
  return {
    ok: true,
    end,
    next,
    profiles: suspects.profiles,
    chunks: suspects.chunks,
    ...report,
    repaired,
  } as const;
};

/**
 * Times at which the index may be right, one of each day since the last that the calendars job has followed: a write or a
 * preparation may have indexed any of them.
 */
const timesSince = (followed: Day, now: number): readonly number[] => {
  const days = Math.max(0, utcDayOf(now) - utcDayOf(startOf(followed)));
  return [now, ...Array.from({ length: days }, (_, ago) => startOf(dayOf(now)) - (ago + 1) * DAY_MS)];
};

/** The result of a call. */
export type AuditAnswer = Awaited<ReturnType<typeof audit>>;

/**
 * Reindexes the differences by the ordinary protocol. Indexing any pair of a segment in the group repairs its
 * directory.
 */
const repairIndex = async (
  { newIndex }: AuditDeps,
  property: number,
  { differences, directories }: Confirmed,
  from: number,
): Promise<number> => {
  const pairs = [...differences, ...directories.map((segment) => ({ segment, ordinal: from }))];
  await newIndex().reindex({ id: property }, pairs);
  return pairs.length;
};

const reportOf = async (
  { scopeOf }: AuditDeps,
  property: number,
  { differences, directories, busy }: Confirmed,
  segments: ReadonlyMap<number, IndexedIdentity>,
) => {
  const { uuid } = (await scopeOf(property)).keys;
  const bySegment = Map.groupBy(differences, ({ segment }) => segment);
  const ids = [...new Set([...bySegment.keys(), ...directories])];
  const reported = ids.slice(0, limits.audits.segmentsReported).map((id) => {
    const wrong = bySegment.get(id) ?? [];
    const extra = wrong.filter(({ holds }) => holds).length;
    return {
      segment: id,
      name: segments.get(id)?.name ?? null,
      missing: wrong.length - extra,
      extra,
      directory: directories.includes(id),
      samples: wrong.slice(0, limits.audits.samples).map(({ ordinal }) => sealOrdinal(uuid, ordinal)),
    };
  });
  const extra = differences.filter(({ holds }) => holds).length;
  const counts = { missing: differences.length - extra, extra, directories: directories.length, busy };
  return { ...counts, segments: reported };
};
