import * as v from 'valibot';
import { lifecycleOf } from '../references/lifecycle.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

const pendingMoment = v.object({ id: v.number(), timeline: v.number() });
const timelineItem = v.object({ latest: v.object({ segment: v.number() }) });

/** Whether an item is a moment that says `pending`; it may be committed all the same. */
export const isPendingMoment = (item: StoredItem): boolean =>
  item['type'] === 'moment' && lifecycleOf(item) === 'pending';

/**
 * The committed moments among pending items: the write that makes a moment the newest of its timeline commits it. A moment that was
 * the newest before is marked as current before the next one is committed, so its item says so when it is read again.
 */
export const committedMoments = async (
  table: Table,
  property: number,
  items: readonly StoredItem[],
): Promise<readonly StoredItem[]> => {
  if (items.length === 0) return [];
  const pending = items.map((item) => v.parse(pendingMoment, item));
  const timelines = await table.getMany(pending.map(({ timeline }) => keys.timeline(property, timeline)));
  const isNewest = pending.map(({ id }, index) => {
    const timeline = v.safeParse(timelineItem, timelines[index]);
    return timeline.success && timeline.output.latest.segment === id;
  });
  const others = items.filter((_, index) => isNewest[index] !== true);
  const again = others.length === 0 ? [] : await table.getMany(others.map(({ pk, sk }) => ({ pk, sk })));
  const current = again.filter((item) => item !== undefined).filter((item) => !isPendingMoment(item));
  return [...items.filter((_, index) => isNewest[index] === true), ...current];
};
