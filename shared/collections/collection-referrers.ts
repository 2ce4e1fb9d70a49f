import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { InspectReferrers } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';
import { parseCollection } from './repository.ts';

/** The states of collections as referrers of a segment: those that hold it are active. */
export const collectionReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids, thing) => {
    const items = await table.getMany(ids.map((id) => keys.collection(property, id)));
    return items.map((item) => isLive(item) && parseCollection(item).segments.includes(thing.id));
  };
