import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { takePlace, type LookAtUsers, type Standing } from '../references/delete-unused.ts';
import { isThere, touch } from '../references/uses.ts';
import { hasCome, parseCustom } from '../catalogue/custom-items.ts';

/** How custom segments stand to what their definitions name, which never change: only a current one uses it. */
export const segmentUsers =
  (table: Table): LookAtUsers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.segment(property, id)));
    return Promise.all(items.map((item, index) => standingOf(table, property, ids[index] ?? 0, item)));
  };

const standingOf = async (
  table: Table,
  property: number,
  id: number,
  item: StoredItem | undefined,
): Promise<Standing> => {
  if (item === undefined) return takePlace(property, { kind: 'segment', id });
  if (!isThere(item)) return { kind: 'never' };
  const custom = parseCustom(item);
  if (custom.life !== 'pending') return { kind: custom.life === 'current' ? 'using' : 'never' };
  const replaced = await table.get(keys.segment(property, custom.replaces ?? 0));
  if (hasCome(custom, replaced)) return { kind: 'using' };
  // It comes when the other is replaced by it: not any more, once that has been touched or is no longer current.
  return replaced && isThere(replaced) ? { kind: 'coming', stop: touch(replaced) } : { kind: 'never' };
};
