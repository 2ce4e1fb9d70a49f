import { visibleSegments } from '../catalogue/segment-items.ts';
import { isCurrent } from '../catalogue/identity.ts';
import type { InspectReferrers } from '../references/delete-unreferenced.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The states of custom segments as referrers. Definitions never change, so exactly the current segments are active. */
export const segmentReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.segment(property, id)));
    const stored = items.filter((item) => item !== undefined);
    const visible = await visibleSegments(table, property, stored);
    const current = new Set(visible.filter(isCurrent).map(({ id }) => id));
    return ids.map((id) => current.has(id));
  };
