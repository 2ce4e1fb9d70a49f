/**
 * Brand rollout: puts a committed version of the brand catalogue in place, property by property, without stopping
 * writers.
 */
import { movePointer, readPointer, indexingMs, type StoredPointer } from '../catalogue/brand-pointer.ts';
import type { DerivationSource } from '../catalogue/derivation.ts';
import type { Brands } from '../catalogue/brands.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { Pair } from '../catalogue/types.ts';
import { identityKey } from '../catalogue/identity.ts';
import { propagationMs } from '../catalogue/look.ts';
import { parseSegment } from '../catalogue/segment-items.ts';
import { limits } from '../config/limits.ts';
import type { Journal } from '../membership/journal.ts';
import { drainAnnounced, type DrainQueue } from '../membership/drain.ts';
import { membersFrom } from '../membership/walk-members.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { batchesOf } from '../runtime/pool.ts';
import { allItems } from '../table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { movedPages } from './moved-pages.ts';
import { allProperties, noteProgress, readProgress, type Announced, type SeenProgress } from './progress.ts';

/** `marginMs` covers clock skew and writes in flight. */
export interface AdvanceDeps extends DrainQueue {
  readonly table: Table;
  readonly clock: Clock;
  readonly derivations: Pick<DerivationSource, 'brands'>;
  readonly catalogue: SegmentCatalogue;
  readonly journal: Journal;
  readonly marginMs: number;
  /** Whether there is time for another step. */
  readonly hasTime: () => boolean;
}

/** The outcome: nothing to do, not finished yet, or just put in place everywhere. */
export type Advance = 'idle' | 'under_way' | 'done';

/**
 * Advances the version that is being put in place, as far as possible now. Called repeatedly; two calls may run at
 * once, and a call may die anywhere. First, every property gets ids for the brands that its likes will lead to. Then
 * the version gets the time at which it takes effect. Once nothing is indexed by the previous version any more, the
 * members of each changed brand are announced in the journal, and the drainer indexes them.
 */
export const advanceBrands = async (deps: AdvanceDeps): Promise<Advance> => {
  const pointer = await readPointer(deps.table);
  const { next } = pointer;
  if (!next) return 'idle';
  const change = await changeOf(deps, next.version);
  if (!change) return 'under_way';
  const now = deps.clock();
  if (next.effective === null) {
    if (now < next.committed + propagationMs(deps.marginMs)) return 'under_way';
    if (!(await visitAll(deps, change, prepare))) return 'under_way';
    await movePointer(deps.table, pointer, effectiveSoon(deps, pointer));
    return 'under_way';
  }
  if (now < next.effective + indexingMs(deps.marginMs)) return 'under_way';
  if (!(await visitAll(deps, change, fill))) return 'under_way';
  const { version, pages, name, parts } = next;
  const moved = await movePointer(deps.table, pointer, {
    current: { version, pages, name, parts },
    next: null,
  });
  return moved ? 'done' : 'under_way';
};

const effectiveSoon = (
  { clock, marginMs }: AdvanceDeps,
  { current, next }: StoredPointer,
): StoredPointer => ({
  current,
  next: next && { ...next, effective: clock() + propagationMs(marginMs) },
});

/** The change from one version to the next. */
interface Change {
  readonly before: Brands;
  readonly next: Brands;
  readonly moved: ReadonlyMap<string, readonly string[]>;
}

/** The change as this process knows it; undefined while the process has not read the version. */
const changeOf = async ({ derivations }: AdvanceDeps, version: number): Promise<Change | undefined> => {
  const [before, next] = (await derivations.brands()).all;
  if (!before || next?.version !== version) return undefined;
  return { before, next, moved: movedPages(before, next) };
};

/** Does the work of a phase for a property; returns whether the phase is over for it. */
type Visit = (deps: AdvanceDeps & Change, property: number, seen: SeenProgress) => Promise<boolean>;

/**
 * Visits every property; `false` when some properties are left. When a visit fails, the other properties go on, and the
 * first failure is thrown at the end.
 */
const visitAll = async (deps: AdvanceDeps, change: Change, visit: Visit): Promise<boolean> => {
  const failures = new Failures();
  let complete = true;
  for await (const property of allProperties(deps.table)) {
    if (!deps.hasTime()) {
      complete = false;
      break;
    }
    const visited = await failures.attempt(async () => {
      const seen = await readProgress(deps.table, property, change.next.version);
      return visit({ ...deps, ...change }, property, seen);
    });
    complete = visited === true && complete;
  }
  failures.throwFirst();
  return complete;
};

/** Identities that get their ids in one call. */
const IDS_AT_ONCE = 500;

const prepare: Visit = async (deps, property, seen) => {
  if (seen.progress) return true;
  const { table, next, moved, catalogue } = deps;
  const affected = await affectedSegments(deps, property, deps);
  const pages = affected.flatMap(({ key }) => moved.get(key) ?? []);
  const identities = new Map(pages.flatMap((page) => next.segmentsOf(page)));
  for (const batch of batchesOf(identities.values(), IDS_AT_ONCE)) await catalogue.idsOf(property, batch);
  await noteProgress(table, property, seen, { version: next.version, state: 'prepared' });
  return true;
};

const fill: Visit = async (deps, property, { progress }) => {
  if (progress?.state === 'done') return true;
  const by = progress?.announced?.by ?? (await announceMembers(deps, property));
  // Entries are indexed while both versions are known, so the frames of their steps include everything that the change
  // affected for a person. That holds for entries that writers opened before the version took effect, too.
  if (by === undefined || !(await drainAnnounced(deps, property, by))) return false;
  const { table, next } = deps;
  const seen = await readProgress(table, property, next.version);
  return noteProgress(table, property, seen, { version: next.version, state: 'done' });
};

/**
 * Announces the members of the affected segments in the journal, step by step from the stored place. Returns the time
 * (epoch milliseconds) by which the entries were opened; undefined when the time is up, or when another call has taken the
 * same step: it goes on.
 */
const announceMembers = async (deps: AdvanceDeps & Change, property: number): Promise<number | undefined> => {
  const { table, journal, ids, clock, next, marginMs } = deps;
  const affected = await affectedSegments(deps, property, deps);
  do {
    const seen = await readProgress(table, property, next.version);
    const place = seen.progress?.announced ?? { segment: 0, ordinal: 0, by: null };
    if (place.by !== null) return place.by;
    const { pairs, rest } = await nextMembers(table, property, { affected, place });
    if (pairs.length > 0) await journal.announce(property, ids.uuid(), pairs);
    // The margin is for the clocks of other calls, which have announced a part.
    const by = rest ? null : clock() + marginMs;
    const { segment, ordinal } = rest ?? place;
    const progress = {
      version: next.version,
      state: 'filling',
      announced: { segment, ordinal, by },
    } as const;
    if (!(await noteProgress(table, property, seen, progress))) return undefined;
    if (by !== null) return by;
  } while (deps.hasTime());
  return undefined;
};

/** Segments that one step walks through at most: some seconds, where each has few members. */
const SEGMENTS_PER_STEP = 1_000;

/** The next memberships to announce, and the place behind them; without `rest` they are the last. */
const nextMembers = async (
  table: Table,
  property: number,
  { affected, place }: { readonly affected: readonly Affected[]; readonly place: Announced },
): Promise<{ readonly pairs: readonly Pair[]; readonly rest?: Pair }> => {
  const pairs: Pair[] = [];
  const left = affected.filter(({ segment }) => segment >= place.segment);
  for (const [walked, { segment }] of left.entries()) {
    if (walked === SEGMENTS_PER_STEP) return { pairs, rest: { segment, ordinal: 0 } };
    const from = segment === place.segment ? place.ordinal : 0;
    for await (const ordinal of membersFrom(table, { property, expression: segment }, from)) {
      if (pairs.length === limits.brands.announcedAtOnce) return { pairs, rest: { segment, ordinal } };
      pairs.push({ segment, ordinal });
    }
  }
  return { pairs };
};

/** The segment of a brand that a version change affects. */
interface Affected {
  readonly segment: number;
  /** Its key in the previous version. */
  readonly key: string;
}

/** The segments of a property with one of these keys in a version, in order of id. */
const affectedSegments = async (
  { table, catalogue }: { readonly table: Table; readonly catalogue: Pick<SegmentCatalogue, 'indexed'> },
  property: number,
  { before, moved }: { readonly before: Brands; readonly moved: { has(key: string): boolean } },
): Promise<readonly Affected[]> => {
  const brands: number[] = [];
  for (let shard = 0; shard < SEGMENT_SHARDS; shard += 1) {
    for (const item of await allItems(table, keys.segmentShard(property, shard)))
      if (item['type'] === 'brand') brands.push(parseSegment(item).id);
  }
  const segments = await catalogue.indexed(property, brands, before);
  return [...segments.values()]
    .filter((segment) => !segment.retired && moved.has(identityKey(segment)))
    .map((segment) => ({ segment: segment.id, key: identityKey(segment) }))
    .sort((a, b) => a.segment - b.segment);
};
