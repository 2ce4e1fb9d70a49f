import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { takePlace, type LookAtUsers } from '../references/delete-unused.ts';
import { isThere, touch } from '../references/uses.ts';
import { parseCollection } from './repository.ts';

/** How collections stand to a segment: one that does not hold it may be about to be replaced by one that does. */
export const collectionUsers =
  (table: Table): LookAtUsers =>
  async (property, ids, thing) => {
    const items = await table.getMany(ids.map((id) => keys.collection(property, id)));
    return items.map((item, index) => {
      if (item === undefined) return takePlace(property, { kind: 'collection', id: ids[index] ?? 0 });
      if (!isThere(item)) return { kind: 'never' };
      const holds = parseCollection(item).segments.includes(thing.id);
      return holds ? { kind: 'using' } : { kind: 'coming', stop: touch(item) };
    });
  };
