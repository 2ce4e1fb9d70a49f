import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { takePlace, type LookAtUsers } from '../references/delete-unused.ts';
import { isThere } from '../references/uses.ts';

/** How timelines stand to the segment that they track, which never changes: one that is there uses it. */
export const timelineUsers =
  (table: Table): LookAtUsers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.timeline(property, id)));
    return items.map((item, index) => {
      if (item === undefined) return takePlace(property, { kind: 'timeline', id: ids[index] ?? 0 });
      return { kind: isThere(item) ? 'using' : 'never' };
    });
  };
