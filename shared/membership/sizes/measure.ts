/** Segment sizes: counts the members of changed segments in the background, and publishes lists by size. */
import { isPreparing } from '../../catalogue/identity.ts';
import { limits } from '../../config/limits.ts';
import { HOUR_MS, type Clock } from '../../runtime/clock.ts';
import { mapAhead } from '../../runtime/map-ahead.ts';
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

/** Batches that are counted at once. */
const BATCHES = 2;

/** Entries of a list that cost a read unit to read and to write, about. */
const ENTRIES_PER_UNIT = 10;

/** `late`: the time is up, or another call has taken over. `rests`: the property was not due. */
export type SizesMeasured = 'done' | 'late' | 'rests';

/**
 * Recounts the segments of a property that have changed since the last measurement, and writes a new list of all sizes.
 * The counts include every change that was answered before the measurement began. The next call continues an
 * interrupted measurement. A property without a change costs one write.
 */
export const measureSizes = async (
  deps: SizeDeps,
  property: number,
  hasTime: () => boolean,
  isDue: (state: SizeState) => boolean = () => true,
): Promise<SizesMeasured> => {
  const { table, clock } = deps;
  const before = await readState(table, property);
  if (before && !isDue(before)) return 'rests';
  const { as_of, lists, cost } = before ?? { as_of: null, lists: [], cost: 0 };
  const run = before?.run ?? { started: clock(), after: 0, cost: 0 };
  const begun = { as_of, lists, cost, calls: (before?.calls ?? 0) + 1, run };
  const work = await recountSince(deps, property, as_of, clock());
  const unchanged = work.size === 0 ? stillTrue(begun, clock()) : undefined;
  if (unchanged)
    return (await writeState(table, property, unchanged, before?.calls)) === 'applied' ? 'done' : 'late';
  if ((await writeState(table, property, begun, before?.calls)) === 'refused') return 'late';
  const segments = [...work.keys()].filter((id) => id > run.after).sort((one, other) => one - other);
  let reached = run;
  const batches = whileTime(batchesOf(segments, BATCH), hasTime);
  const measured = mapAhead(batches, BATCHES, async (batch) => ({
    last: batch.at(-1) ?? 0,
    counts: await measureBatch(deps, property, batch, work),
  }));
  for await (const { last, counts } of measured) {
    reached = { ...reached, after: last, cost: reached.cost + counts };
    if (!(await advance(deps, property, { ...begun, run: reached }))) return 'late';
  }
  const isWhole = reached.after === (segments.at(-1) ?? run.after);
  return isWhole ? publish(deps, property, { ...begun, run: reached }) : 'late';
};

type Run = NonNullable<SizeState['run']>;
type Stored = Omit<SizeState, 'wanted'>;
type RunningState = Stored & { readonly run: Run };

/** The state with its newest list, which nothing has changed since; undefined when the items of the list are to be renewed. */
const stillTrue = ({ run, lists, ...state }: RunningState, now: number): Stored | undefined => {
  const [newest, ...older] = lists;
  if (!newest || now - newest.written >= RENEW_MS) return undefined;
  const as_of = run.started;
  return { ...state, as_of, run: null, lists: [{ ...newest, as_of }, ...older], cost: 0 };
};

/** Batches as long as there is time when the next one begins. */
function* whileTime<Batch>(batches: Iterable<Batch>, hasTime: () => boolean): Generator<Batch, void> {
  for (const batch of batches) {
    if (!hasTime()) return;
    yield batch;
  }
}

/** Stores the progress of a call; false when another call has begun since. */
const advance = async ({ table }: SizeDeps, property: number, state: Stored): Promise<boolean> =>
  (await writeState(table, property, state, state.calls)) === 'applied';

/** Counts the segments of a batch. Returns the number of counts. */
const measureBatch = async (
  deps: SizeDeps,
  property: number,
  batch: readonly number[],
  work: Work,
): Promise<number> => {
  const known = await deps.catalogue.indexed(property, batch);
  // Unknown segments and those that are being prepared have no size.
  const segments = batch.flatMap((id) => known.get(id) ?? []).filter((segment) => !isPreparing(segment));
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
  return counts.length;
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

/** Publishes a new list of all sizes. */
const publish = async (
  deps: SizeDeps,
  property: number,
  { run, ...state }: RunningState,
): Promise<SizesMeasured> => {
  const as_of = run.started;
  const { list, entries } = await newList(deps, property, { as_of, now: deps.clock(), version: state.calls });
  const lists = [list, ...state.lists].slice(0, limits.sizes.lists);
  const cost = run.cost + Math.ceil(entries / ENTRIES_PER_UNIT);
  return (await advance(deps, property, { ...state, as_of, run: null, lists, cost })) ? 'done' : 'late';
};

const newList = async (
  deps: SizeDeps,
  property: number,
  { version, as_of, now }: { readonly version: number; readonly as_of: number; readonly now: number },
) => {
  const shards = Array.from({ length: SEGMENT_SHARDS }, (_, shard) => shard);
  const [customs, ...measured] = await Promise.all([
    currentCustomSegments(deps, property),
    ...shards.map((shard) => totalsOf(deps, property, shard)),
  ]);
  const sizes = measured.flat().filter(({ segment, custom }) => !custom || customs.has(segment));
  const starts = await writeList(deps.table, property, version, { sizes: sizes.sort(bySize), now });
  return { list: { version, as_of, written: now, starts }, entries: sizes.length };
};

/** The sizes in a shard. The counts by group would take much more memory. */
const totalsOf = async (
  { table }: SizeDeps,
  property: number,
  shard: number,
): Promise<readonly (Size & Pick<Measured, 'custom'>)[]> =>
  (await allItems(table, keys.sizeShard(property, shard))).map((item) => {
    const measured = parseMeasured(item);
    return { segment: measured.segment, custom: measured.custom, count: totalOf(measured) };
  });
