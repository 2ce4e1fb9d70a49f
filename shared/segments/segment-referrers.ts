import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { fenceAbsent, type InspectReferrers, type ReferrerState } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';
import { touchItem } from '../references/references.ts';
import { isCommitted, parseCustomSegment } from '../catalogue/custom-items.ts';

/** The states of custom segments as referrers. Definitions never change, so exactly the current segments are active. */
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
  // The write that replaces the old segment commits this one. Touching the old segment makes that write fail.
  return replaced && isLive(replaced)
    ? { kind: 'pending', fence: touchItem(replaced) }
    : { kind: 'inactive' };
};
