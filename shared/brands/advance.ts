/**
 * Brand rollout: puts a committed version of the brand catalogue in place, property by property, without stopping
 * writers.
 */
import { movePointer, readPointer, indexingMs, type StoredPointer } from '../catalogue/brand-pointer.ts';
import type { DerivationSource } from '../catalogue/derivation.ts';
import type { Brands } from '../catalogue/brands.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { identityKey } from '../catalogue/identity.ts';
import { propagationMs } from '../catalogue/look.ts';
import { parseSegment } from '../catalogue/segment-items.ts';
import { limits } from '../config/limits.ts';
import type { Journal } from '../membership/journal.ts';
import type { MembershipIndex } from '../membership/membership.ts';
import { membersFrom } from '../membership/walk-members.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { batchesOf } from '../runtime/pool.ts';
import { allItems } from '../table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { movedPages } from './moved-pages.ts';
import { allProperties, noteProgress, readProgress, type Progress } from './progress.ts';

/** `marginMs` covers clock skew and writes in flight. */
export interface AdvanceDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly derivations: Pick<DerivationSource, 'brands'>;
  readonly catalogue: SegmentCatalogue;
  readonly membership: MembershipIndex;
  readonly journal: Pick<Journal, 'isEmpty'>;
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
 * members of each changed brand are reindexed.
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
  const openedBy = next.effective;
  const visit: Visit = (one, property, progress) => fill(one, property, { progress, openedBy });
  if (!(await visitAll(deps, change, visit))) return 'under_way';
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

/** Does one step for a property and returns its progress; undefined when the step did not finish in time. */
type Visit = (
  deps: AdvanceDeps & Change,
  property: number,
  progress: Progress | undefined,
) => Promise<Progress | undefined>;

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
      const { progress } = await readProgress(deps.table, property, change.next.version);
      return visit({ ...deps, ...change }, property, progress);
    });
    complete = visited !== undefined && complete;
  }
  failures.throwFirst();
  return complete;
};

const note = async (
  { table, next }: AdvanceDeps & Change,
  property: number,
  progress: Omit<Progress, 'version'>,
): Promise<Progress> => {
  const { version } = next;
  const seen = await readProgress(table, property, version);
  if (seen.progress?.state === 'done') return seen.progress;
  await noteProgress(table, property, seen, { version, ...progress });
  return { version, ...progress };
};

/** Identities that get their ids in one call. */
const IDS_AT_ONCE = 500;

const prepare: Visit = async (deps, property, progress) => {
  if (progress) return progress;
  const { next, moved, catalogue } = deps;
  const affected = await affectedSegments(deps, property, deps);
  const pages = affected.flatMap(({ key }) => moved.get(key) ?? []);
  const identities = new Map(pages.flatMap((page) => next.segmentsOf(page)));
  for (const batch of batchesOf(identities.values(), IDS_AT_ONCE)) await catalogue.idsOf(property, batch);
  return note(deps, property, { state: 'prepared', segment: 0, ordinal: 0 });
};

interface Filling {
  readonly progress: Progress | undefined;
  /** Epoch milliseconds at which the version took effect. Earlier journal entries may cover only the previous version. */
  readonly openedBy: number;
}

const fill = async (
  deps: AdvanceDeps & Change,
  property: number,
  { progress, openedBy }: Filling,
): Promise<Progress | undefined> => {
  if (progress?.state === 'done') return progress;
  let at = { segment: progress?.segment ?? 0, ordinal: progress?.ordinal ?? 0 };
  for (const one of await affectedSegments(deps, property, deps)) {
    if (one.segment < at.segment) continue;
    if (one.segment > at.segment) at = { segment: one.segment, ordinal: 0 };
    const filled = await fillSegment(deps, property, { ...one, from: at.ordinal });
    if (!filled) return undefined;
  }
  // Entries that are left are indexed while both versions are known, so their frames include everything that the change affected.
  if (!(await deps.journal.isEmpty(property, openedBy))) return undefined;
  return note(deps, property, { state: 'done', segment: at.segment, ordinal: 0 });
};

/** Reindexes the members of a segment. The index applies to each member everything that the version change affected. */
const fillSegment = async (
  deps: AdvanceDeps & Change,
  property: number,
  { segment, from }: Affected & { readonly from: number },
): Promise<boolean> => {
  const members = membersFrom(deps.table, { property, expression: segment }, from);
  for (;;) {
    const ordinals: number[] = [];
    while (ordinals.length < limits.brands.backfillStep) {
      const member = await members.next();
      if (member.done === true) break;
      ordinals.push(member.value);
    }
    const last = ordinals.at(-1);
    if (last === undefined) break;
    await deps.membership.reindex(
      { id: property },
      ordinals.map((ordinal) => ({ segment, ordinal })),
    );
    await note(deps, property, { state: 'filling', segment, ordinal: last + 1 });
    if (!deps.hasTime()) return false;
  }
  await note(deps, property, { state: 'filling', segment: segment + 1, ordinal: 0 });
  return true;
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
