import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { InspectReferrers } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';

/** The states of timelines as referrers. A timeline never changes the segment that it tracks, so a live one is active. */
export const timelineReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.timeline(property, id)));
    return items.map((item) => isLive(item));
  };
