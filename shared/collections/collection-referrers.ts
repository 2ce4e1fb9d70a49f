import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { fenceAbsent, type InspectReferrers } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';
import { touchItem } from '../references/references.ts';
import { parseCollection } from './repository.ts';

/**
 * The states of collections as referrers of a segment. A collection without the segment is pending: an edit may be
 * about to add it.
 */
export const collectionReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids, thing) => {
    const items = await table.getMany(ids.map((id) => keys.collection(property, id)));
    return items.map((item, index) => {
      if (item === undefined) return fenceAbsent(property, { kind: 'collection', id: ids[index] ?? 0 });
      if (!isLive(item)) return { kind: 'inactive' };
      const holds = parseCollection(item).segments.includes(thing.id);
      return holds ? { kind: 'active' } : { kind: 'pending', fence: touchItem(item) };
    });
  };
