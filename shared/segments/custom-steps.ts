/** Steps of custom segments: the reads and writes that creating, replacing and deleting them share. */
import { err, ok, type Result } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { isLive } from '../references/lifecycle.ts';
import { removeReferences, type Referent } from '../references/references.ts';
import { customWrite, finderKeys, isCustom, type CustomSegment } from '../catalogue/custom-items.ts';
import { visibleSegments } from '../catalogue/segment-stages.ts';
import { idsIn } from '../catalogue/definition.ts';
import { everyoneId, everyoneOf } from '../catalogue/identity.ts';
import type { Segment } from '../catalogue/types.ts';
import { reserveQuota, releaseQuota, type QuotaDeps } from '../catalogue/segment-quota.ts';

/**
 * The reason why a segment cannot be edited or deleted: it does not exist, or (`kept`) it is of another type, was
 * replaced, or is the segment of a value that a profile has.
 */
export type CustomRefusal = 'not_found' | { readonly kept: Segment };

/** A custom segment and its item as read. */
interface SeenCustom {
  readonly item: StoredItem;
  readonly segment: CustomSegment;
}

/** The current custom segment of an id, read from the table. */
export const readCurrentCustom = async (
  table: Table,
  property: number,
  id: number,
): Promise<Result<SeenCustom, CustomRefusal>> => {
  if (id === everyoneId(property)) return err({ kept: everyoneOf(property) });
  const item = await table.get(keys.segment(property, id));
  const [segment] = item ? await visibleSegments(table, property, [item]) : [];
  if (!item || !segment) return err('not_found');
  return isCustom(segment) && segment.custom.replaced_by === null
    ? ok({ item, segment })
    : err({ kept: segment });
};

/** The custom segment of an id, replaced or not; undefined when there is none. */
export const readCustomSegment = async (
  table: Table,
  property: number,
  id: number,
): Promise<CustomSegment | undefined> => {
  const item = await table.get(keys.segment(property, id));
  const [segment] = item ? await visibleSegments(table, property, [item]) : [];
  return segment && isCustom(segment) ? segment : undefined;
};

/** Reserves quota for one custom segment with this id; `false` when the quota is used up. */
export const reserveCustomQuota = async (deps: QuotaDeps, property: number, id: number): Promise<boolean> => {
  const one = { property, name: String(id), count: 1 };
  if ((await reserveQuota(deps, { ...one, quota: 'custom' })) === 0) return false;
  if ((await reserveQuota(deps, { ...one, quota: 'segment' })) === 1) return true;
  await releaseQuota(deps, { ...one, quota: 'custom' });
  return false;
};

/** Releases the quota of a custom segment that was not created after all, or was deleted. */
export const releaseCustomQuota = async (deps: QuotaDeps, property: number, id: number): Promise<void> => {
  const one = { property, name: String(id), count: 1 };
  await releaseQuota(deps, { ...one, quota: 'custom' });
  await releaseQuota(deps, { ...one, quota: 'segment' });
};

/**
 * Stores a custom segment, after the items by which it is found. `false` when a deletion has fenced its id with a
 * tombstone.
 */
export const storeCustomSegment = async (
  table: Table,
  property: number,
  segment: CustomSegment,
  replaces: number | null,
): Promise<boolean> => {
  const finders = finderKeys(property, segment);
  await table.writeMany(finders.map((key) => ({ kind: 'insert', key, set: { segment: segment.id } })));
  const write = customWrite(property, segment, replaces);
  if ((await table.write(write)) === 'applied') return true;
  // Nobody else uses this id. So the item is our own, from an attempt whose answer was lost, or it is a tombstone.
  return isLive(await table.get(write.key));
};

/** Removes a custom segment that is not current from lists and trees, and removes its references. */
export const retireCustomSegment = async (
  table: Table,
  property: number,
  segment: CustomSegment,
): Promise<void> => {
  const { id, custom } = segment;
  const finders = finderKeys(property, segment);
  await table.writeMany(finders.map((key) => ({ kind: 'delete', key, expect: { segment: id } })));
  const named = new Set(idsIn(custom.definition).map((one) => one.id));
  const referents = [...named].map((thing): Referent => ({ kind: 'segment', id: thing }));
  await removeReferences({ table }, property, { kind: 'segment', id }, referents);
};
