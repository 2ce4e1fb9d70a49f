/** Segment sizes: counts the members of changed segments in the background, and publishes lists by size. */
import { limits } from '../../config/limits.ts';
import { HOUR_MS, type Clock } from '../../runtime/clock.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import { allItems } from '../../table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../../table/keys.ts';
import { countInGroup, groupsWith } from '../read-members.ts';
import { expand } from '../../catalogue/segment-items.ts';
import type { Segment } from '../../catalogue/types.ts';
import {
  bySize,
  measuredWrite,
  parseMeasured,
  readState,
  totalOf,
  writeList,
  writeState,
  type Measured,
  type Size,
  type SizeState,
} from './size-items.ts';
import { currentCustomSegments, recountSince, type Work, type RecountDeps } from './recount.ts';

export interface SizeDeps extends RecountDeps {
  readonly clock: Clock;
}

/** Segments that are counted between two checks of the time. */
const BATCH = 50;

/** Concurrent counts. */
const PARALLEL = 8;
const RENEW_MS = limits.sizes.renewHours * HOUR_MS;

/** `late`: the time is up, or another call has taken over. */
export type SizesMeasured = 'done' | 'late';

/**
 * Recounts the segments of a property that have changed since the last measurement, and writes a new list of all sizes.
 * The counts include every change that was answered before the measurement began. The next call continues an
 * interrupted measurement.
 */
export const measureSizes = async (
  deps: SizeDeps,
  property: number,
  hasTime: () => boolean,
): Promise<SizesMeasured> => {
  const { table, clock } = deps;
  const before = await readState(table, property);
  const run = before?.run ?? { started: clock(), after: 0 };
  const calls = (before?.calls ?? 0) + 1;
  const begun = { as_of: before?.as_of ?? null, lists: before?.lists ?? [], calls, run };
  if ((await writeState(table, property, begun, before?.w)) === 'refused') return 'late';
  const work = await recountSince(deps, property, begun.as_of, clock());
  const segments = [...work.keys()].filter((id) => id > run.after).sort((a, b) => a - b);
  for (const batch of batchesOf(segments, BATCH)) {
    if (!hasTime()) return 'late';
    await measureBatch(deps, property, batch, work);
    if (!(await advance(deps, property, { ...begun, run: { ...run, after: batch.at(-1) ?? 0 } })))
      return 'late';
  }
  return publish(deps, property, { ...begun, changed: work.size > 0 });
};

/** Stores the progress of a call; false when another call has begun since. */
const advance = async (
  { table }: SizeDeps,
  property: number,
  state: Omit<SizeState, 'w'>,
): Promise<boolean> => {
  const seen = await readState(table, property);
  return seen?.calls === state.calls && (await writeState(table, property, state, seen.w)) === 'applied';
};

const measureBatch = async (
  deps: SizeDeps,
  property: number,
  batch: readonly number[],
  work: Work,
): Promise<void> => {
  const known = await deps.catalogue.getMany(property, batch);
  // Unknown and pending segments have no size.
  const segments = batch.flatMap((id) => known.get(id) ?? []);
  const items = await deps.table.getMany(segments.map(({ id }) => keys.size(property, id)));
  const plans = await mapLimited(segments, PARALLEL, (segment, index) => {
    const item = items[index];
    return planMeasure(deps, property, segment, {
      groups: work.get(segment.id) ?? 'all',
      old: item && parseMeasured(item),
    });
  });
  // The groups of all segments in one list, so that one large segment is not counted group after group.
  const wanted = plans.flatMap((plan) => plan.wanted.map((group) => ({ plan, group })));
  const counts = await mapLimited(wanted, PARALLEL, async ({ plan, group }) => ({
    plan,
    counted: [group, await countInGroup(deps.table, plan.members, group)] as const,
  }));
  const counted = Map.groupBy(counts, ({ plan }) => plan);
  const measured = plans.map((plan): Measured => {
    const own = (counted.get(plan) ?? []).map((one) => one.counted);
    const { id: segment, custom } = plan.segment;
    return { segment, custom: custom !== undefined, counts: new Map([...plan.old, ...own]) };
  });
  // Refused where another call has measured the segment. That call began later, and only it continues.
  await deps.table.writeMany(measured.map((one, index) => measuredWrite(property, one, items[index])));
};

interface MeasureRequest {
  readonly groups: ReadonlySet<number> | 'all';
  readonly old: Measured | undefined;
}

/** The groups of a segment that must be counted, and the counts of the others. */
const planMeasure = async (
  { table }: SizeDeps,
  property: number,
  segment: Segment,
  { groups, old }: MeasureRequest,
) => {
  const members = { property, expression: expand(segment.id, new Map([[segment.id, segment]])) };
  // A segment without a measurement is measured as a whole.
  const wanted = groups === 'all' || !old ? await groupsWith(table, members) : [...groups];
  return { segment, members, wanted, old: old?.counts ?? new Map<number, number>() };
};

/** Publishes the list of all sizes. If nothing has changed, the old list stays, with a later `as_of`. */
const publish = async (
  deps: SizeDeps,
  property: number,
  { changed, ...state }: Omit<SizeState, 'w'> & { readonly changed: boolean },
): Promise<SizesMeasured> => {
  const [newest, ...older] = state.lists;
  const now = deps.clock();
  const as_of = state.run?.started ?? now;
  const stays = newest && !changed && now - newest.written < RENEW_MS;
  const list = stays
    ? { ...newest, as_of }
    : await newList(deps, property, { as_of, now, version: state.calls });
  const lists = stays ? [list, ...older] : [list, ...state.lists].slice(0, limits.sizes.lists);
  return (await advance(deps, property, { ...state, as_of, run: null, lists })) ? 'done' : 'late';
};

const newList = async (
  deps: SizeDeps,
  property: number,
  { version, as_of, now }: { readonly version: number; readonly as_of: number; readonly now: number },
) => {
  const customs = await currentCustomSegments(deps, property);
  const sizes: Size[] = [];
  for (let shard = 0; shard < SEGMENT_SHARDS; shard += 1) {
    for (const item of await allItems(deps.table, keys.sizeShard(property, shard))) {
      const measured = parseMeasured(item);
      const { segment, custom } = measured;
      if (!custom || customs.has(segment)) sizes.push({ segment, count: totalOf(measured) });
    }
  }
  const starts = await writeList(deps.table, property, version, { sizes: sizes.sort(bySize), now });
  return { version, as_of, written: now, starts };
};
