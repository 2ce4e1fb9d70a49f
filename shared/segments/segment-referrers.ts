import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { fenceAbsent, type InspectReferrers, type ReferrerState } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';
import { touchItem } from '../references/references.ts';
import { isCommitted, parseCustomSegment } from '../catalogue/custom-items.ts';

/** How custom segments stand to what their definitions name, which never change: only a current one uses it. */
export const segmentReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.segment(property, id)));
    return Promise.all(items.map((item, index) => referrerState(table, property, ids[index] ?? 0, item)));
  };

const referrerState = async (
  table: Table,
  property: number,
  id: number,
  item: StoredItem | undefined,
): Promise<ReferrerState> => {
  if (item === undefined) return fenceAbsent(property, { kind: 'segment', id });
  if (!isLive(item)) return { kind: 'inactive' };
  const custom = parseCustomSegment(item);
  if (custom.lifecycle !== 'pending') return { kind: custom.lifecycle === 'current' ? 'active' : 'inactive' };
  const replaced = await table.get(keys.segment(property, custom.replaces ?? 0));
  if (isCommitted(custom, replaced)) return { kind: 'active' };
  // It comes when the other is replaced by it: not any more, once that has been touched or is no longer current.
  return replaced && isLive(replaced)
    ? { kind: 'pending', fence: touchItem(replaced) }
    : { kind: 'inactive' };
};
