/** List of sizes: the use case that lists the segments of a property by their number of members. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { UseCase } from '../../http/api-types.ts';
import { fittingCount } from '../../http/fitting.ts';
import type { ListQuery } from '../../http/list-schemas.ts';
import { linkTo, readCursor, type ListDeps } from '../../http/listing.ts';
import { isoTime } from '../../runtime/clock.ts';
import { ok } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { isCurrent, isPreparing } from '../../catalogue/identity.ts';
import { bySize, readListItem, readState, type Size, type SizeList } from './size-items.ts';

export interface ListSizesDeps extends ListDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'indexed'>;
}

/** The last entry of a page, and its list. */
const position = v.object({ version: v.number(), segment: v.number(), count: v.number() });
type Position = v.InferOutput<typeof position>;

/**
 * The segments of a property by size, the largest first, as of `as_of` (null: not measured yet). 400 for a cursor of
 * another list. A walk stays in the list where it began for about an hour, and then continues at the same position of
 * the newest list.
 */
export const listSizes: UseCase<ListSizesDeps, ListQuery> = async (deps, { property, query }) => {
  const asked = { property: property.id, list: `/v1/${property.id}/segment-sizes`, query };
  const cursor = await readCursor(deps, asked, position);
  if (!cursor.ok) return cursor;
  const lists = (await readState(deps.table, property.id))?.lists ?? [];
  const list = lists.find(({ version }) => version === cursor.value?.version) ?? lists[0];
  if (!list) return ok({ status: 200, body: { segments: [], as_of: null, paging: { next_page: null } } });
  const limit = query.limit ?? limits.http.pageDefault;
  const page = await readEntries(deps.table, property.id, list, { after: cursor.value, limit: limit + 1 });
  const { shown, last } = await viewsOf(deps, property.id, page.slice(0, limit));
  const next = last && page.indexOf(last) + 1 < page.length ? { version: list.version, ...last } : undefined;
  const next_page = await linkTo(deps, { ...asked, next });
  return ok({ status: 200, body: { segments: shown, as_of: isoTime(list.as_of), paging: { next_page } } });
};

/** The entries of a list behind a position. Reads only the items that contain them. */
const readEntries = async (
  table: Table,
  property: number,
  { version, starts }: SizeList,
  { after, limit }: { readonly after: Position | undefined; readonly limit: number },
): Promise<readonly Size[]> => {
  const found: Size[] = [];
  const first = after === undefined ? 0 : starts.findLastIndex((start) => bySize(start, after) <= 0);
  for (let page = Math.max(first, 0); page < starts.length && found.length < limit; page += 1) {
    const entries = await readListItem(table, property, version, page);
    found.push(...entries.filter((entry) => after === undefined || bySize(entry, after) > 0));
  }
  return found.slice(0, limit);
};

/**
 * The views of entries: as many as fit in the response, without segments that were deleted or replaced since. `last`
 * ends the page.
 */
const viewsOf = async ({ catalogue }: ListSizesDeps, property: number, sizes: readonly Size[]) => {
  const known = await catalogue.indexed(
    property,
    sizes.map(({ segment }) => segment),
  );
  const entries = sizes.flatMap((size) => {
    const segment = known.get(size.segment);
    const { segment: id, count } = size;
    return segment && isCurrent(segment) && !isPreparing(segment)
      ? [{ size, shown: { id, name: segment.name, type: segment.type, count } }]
      : [];
  });
  const shown = entries.map((entry) => entry.shown);
  const fitting = fittingCount(shown);
  const last = fitting < shown.length ? entries[fitting - 1]?.size : sizes.at(-1);
  return { shown: shown.slice(0, fitting), last };
};
