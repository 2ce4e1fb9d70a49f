import * as v from 'valibot';
import { lifecycleOf } from '../references/lifecycle.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

const pendingMoment = v.object({ id: v.number(), timeline: v.number() });
const timelineItem = v.object({ latest: v.object({ segment: v.number() }) });

/** Whether an item is that of a moment which was stored before it has come. */
export const isPendingMoment = (item: StoredItem): boolean =>
  item['type'] === 'moment' && lifecycleOf(item) === 'pending';

/**
 * Those of some pending moments that have come: the newest of their timelines. One that was the newest and is no more has
 * been marked as current before the next came, so the item says so when it is read again.
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
