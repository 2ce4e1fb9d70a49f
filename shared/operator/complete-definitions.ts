/**
 * Complete definitions: after a restore, a property may have only some items of a transaction that was under way
 * (docs/adr/0019). The item of a definition decides whether the definition is there. This completes what belongs to it:
 * names, references, the items by which lists find it, and its schedules.
 */
import { customSegmentOf, parseCustomSegment } from '../catalogue/custom-items.ts';
import { referentsAmong } from '../catalogue/identity.ts';
import { idsIn } from '../catalogue/definition.ts';
import { parseSegmentType, readItems, visibleSegments } from '../catalogue/segment-items.ts';
import { parseCollection } from '../collections/repository.ts';
import { exportRepository, scheduleTask as exportScheduleTask } from '../exports/model/repository.ts';
import { completeConditions } from './complete-conditions.ts';
import { isLive, lifecycleOf, reviveWrite } from '../references/lifecycle.ts';
import { addReferences, type Referrer } from '../references/references.ts';
import type { Clock } from '../runtime/clock.ts';
import { itemsOf } from '../runtime/pages.ts';
import type { Pause } from '../runtime/pause.ts';
import { finderWrites } from '../segments/custom-steps.ts';
import { allItems } from '../table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { addTask } from '../tasks/tasks.ts';
import { parseTimeline } from '../timelines/timeline-items.ts';
import { scheduleTask } from '../timelines/timeline-schedule.ts';
import { takeName } from '../timelines/timeline-names.ts';

interface CompleteDeps {
  readonly table: Table;
  readonly pause: Pause;
  readonly clock: Clock;
}

/**
 * Completes the custom segments, conditions, collections, timelines and schedules of a property, after a restore to a time
 * (epoch ms). May be repeated.
 */
export const completeDefinitions = async (
  deps: CompleteDeps,
  property: number,
  restored: number,
): Promise<void> => {
  const { table } = deps;
  const conditions: StoredItem[] = [];
  for (let shard = 0; shard < SEGMENT_SHARDS; shard += 1) {
    const items = await allItems(table, keys.segmentShard(property, shard));
    conditions.push(...items.filter((item) => parseSegmentType(item) === 'condition'));
    const customs = items.filter((item) => parseSegmentType(item) === 'custom' && isLive(item));
    for (const item of customs) await completeSegment(deps, property, item, restored);
  }
  await completeConditions(deps, property, conditions);
  for (const item of await allItems(table, keys.collection(property, 0).pk)) {
    if (!isLive(item)) continue;
    const { id, segments } = parseCollection(item);
    await refer(deps, property, { kind: 'collection', id }, segments);
  }
  for (const item of await allItems(table, keys.timeline(property, 0).pk)) {
    if (!isLive(item)) continue;
    const { id, name, reference_tile, schedule } = parseTimeline(item);
    await refer(deps, property, { kind: 'timeline', id }, [reference_tile]);
    // A name that another timeline has stays there: one of two renamings at the time of the restore came back half.
    const named = await takeName(deps, { property, timeline: id, name });
    if (named?.kind === 'insert') await table.write(named);
    const task = scheduleTask({ property, timeline: id }, { due: deps.clock(), since: restored });
    if (schedule) await addTask(deps, task);
  }
  const exports = exportRepository(table);
  const read = (after?: string) => exports.definitions(property, { limit: EXPORTS_AT_ONCE, after });
  for await (const definition of itemsOf(read))
    if (definition.to_come) await addTask(deps, exportScheduleTask(definition, restored));
};

/** Definitions of exports that are read at once. */
const EXPORTS_AT_ONCE = 100;

/** The items of a backup may be this far apart; AWS says that it is usually much less than a second. */
const SKEW_MS = 60_000;

/**
 * Completes a custom segment. One that was edited at the time of the restore, and whose successor has not come back, is
 * current again. An older successor that is missing was deleted by a client.
 */
const completeSegment = async (
  deps: CompleteDeps,
  property: number,
  item: StoredItem,
  restored: number,
): Promise<void> => {
  const { table } = deps;
  const custom = parseCustomSegment(item);
  const { id, replaced_by } = custom;
  const isLate = Math.abs(Number(item['replaced_at'] ?? 0) - restored) <= SKEW_MS;
  if (isLate && replaced_by !== null && !(await table.get(keys.segment(property, replaced_by))))
    await table.write(reviveWrite(item));
  else if (lifecycleOf(item) !== 'current') return;
  await table.writeMany(finderWrites(property, customSegmentOf(id, custom, null), 'insert'));
  const named = idsIn(custom.definition).map((one) => one.id);
  await refer(deps, property, { kind: 'segment', id }, named);
};

/** Adds the references of a referrer to those of the segments that can be deleted. */
const refer = async (
  deps: CompleteDeps,
  property: number,
  referrer: Referrer,
  ids: readonly number[],
): Promise<void> => {
  const items = await readItems(deps.table, property, [...new Set(ids)]);
  const referents = referentsAmong(await visibleSegments(deps.table, property, items));
  await addReferences(deps, property, referents, { referrer });
};
