import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { fenceAbsent, type InspectReferrers } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';

/**
 * Inspects timelines as referrers of the segments that they track. A timeline never changes its segment, so a stored
 * timeline is active.
 */
export const timelineReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.timeline(property, id)));
    return items.map((item, index) => {
      if (item === undefined) return fenceAbsent(property, { kind: 'timeline', id: ids[index] ?? 0 });
      return { kind: isLive(item) ? 'active' : 'inactive' };
    });
  };
