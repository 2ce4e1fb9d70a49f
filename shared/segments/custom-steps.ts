/** Steps of custom segments: the reads and the writes that creating, replacing and deleting them share. */
import { err, ok, type Result } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { removeReferences, type Referent } from '../references/references.ts';
import { finderKeys } from '../catalogue/custom-items.ts';
import { visibleSegments, quotaWrite } from '../catalogue/segment-items.ts';
import { idsIn } from '../catalogue/definition.ts';
import { everyoneId, everyoneOf, isCustom, type CustomSegment } from '../catalogue/identity.ts';
import type { Segment } from '../catalogue/types.ts';

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

/** The items by which lists and trees find a custom segment: inserted with the segment, and deleted with it. */
export const finderWrites = (
  property: number,
  segment: CustomSegment,
  kind: 'insert' | 'delete',
): readonly Write[] =>
  finderKeys(property, segment).map((key) => {
    const link = { segment: segment.id };
    return kind === 'insert' ? { kind, key, set: link } : { kind, key, expect: link };
  });

/**
 * The writes that count a custom segment, or count it off: in the quota of custom segments and in that of all. `undefined`
 * when one of them is used up.
 */
export const customQuotaWrites = async (
  table: Table,
  property: number,
  by: 1 | -1,
): Promise<readonly Write[] | undefined> => {
  const [custom, all] = await Promise.all([
    quotaWrite(table, property, 'custom', by),
    quotaWrite(table, property, 'segment', by),
  ]);
  return custom && all && [custom, all];
};

/** Removes the references of a custom segment that is not current any more. They block nobody. */
export const dropReferences = async (
  table: Table,
  property: number,
  { id, custom }: CustomSegment,
): Promise<void> => {
  const named = new Set(idsIn(custom.definition).map((one) => one.id));
  const referents = [...named].map((thing): Referent => ({ kind: 'segment', id: thing }));
  await removeReferences({ table }, property, { kind: 'segment', id }, referents);
};
