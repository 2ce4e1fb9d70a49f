/** Pagination of lists: turns the query of a list into a page of it, and a page into the link to the next one. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Listed } from '../runtime/pages.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { workBudget, type WorkBudget } from '../runtime/work-budget.ts';
import { fittingCount } from './fitting.ts';
import { openCursor, sealCursor } from './cursor.ts';
import type { ApiAnswer } from './api-types.ts';
import type { ListQuery, Order } from './list-schemas.ts';
import { problems, type Problem } from './problem.ts';

/** A page of a list: the number of items, the position after which it starts, and its direction. */
export interface Page<Position = string> {
  readonly limit: number;
  readonly after?: Position | undefined;
  readonly descending?: boolean;
  /** The calls of the table that its request may still make. */
  readonly work?: WorkBudget | undefined;
}

export interface ListDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** The query of a list: its cursor, its filters and its format. */
type AnyListQuery = ListQuery & { readonly [name: string]: string | number | undefined };

/** A list of a property, by its canonical path, and the query of the request. */
interface Asked {
  readonly property: number;
  readonly list: string;
  readonly query: AnyListQuery;
}

/** A list of the API: its canonical path, and how its items are read and shown. */
export interface ListOf<Item, View> {
  /** Its canonical path, which its links and cursors name. */
  readonly path: string;
  /** Its own order, unless the query names another one; by default the oldest first. */
  readonly order?: Order;
  readonly read: (page: Page) => Promise<Listed<Item>>;
  /** The items that its filters keep; `undefined` keeps all. */
  readonly keep?: ((item: Item) => boolean) | undefined;
  /** The most items that one request examines, where each costs more than a read. */
  readonly mostItems?: number;
  readonly positionOf: (item: Item) => string;
  /** A view for each item, or for as many of the first as one request has time or room for: there the page ends. */
  readonly views: (items: readonly Item[]) => readonly View[] | Promise<readonly View[]>;
}

/** A page as a client gets it: views, and the link to the next page, `null` on the last one. */
export interface ShownPage<View> {
  readonly shown: readonly View[];
  readonly next_page: string | null;
}

/** A request for a page of a list. */
interface ListRequest {
  readonly property: { readonly id: number };
  readonly query: AnyListQuery & { readonly order?: Order | undefined };
}

/** The answer `{ <name>: […], paging }` to a request for a page of a list; 400 for a cursor of another list. */
export const answerList = async <Item, View>(
  deps: ListDeps,
  request: ListRequest,
  name: string,
  list: ListOf<Item, View>,
): Promise<Result<ApiAnswer, Problem>> => {
  const page = await showPage(deps, request, list);
  if (!page.ok) return page;
  const { shown, next_page } = page.value;
  return ok({ status: 200, body: { [name]: shown, paging: { next_page } } });
};

/** The answer that is the bare array of a page's views; the link to the next page is in a header. */
export const bareList = <View>({ shown, next_page }: ShownPage<View>): ApiAnswer => ({
  status: 200,
  body: shown,
  ...(next_page === null ? {} : { headers: { link: `<${next_page}>; rel="next"` } }),
});

/**
 * The page of a list that a request asks for, as far as it fits into one answer; 400 when the cursor belongs to another
 * list. The keys of the property are read only for a cursor and a link.
 */
export const showPage = async <Item, View>(
  deps: ListDeps,
  { property, query }: ListRequest,
  { path, order = 'oldest', read, views, ...filter }: ListOf<Item, View>,
): Promise<Result<ShownPage<View>, Problem>> => {
  const asked = { property: property.id, list: path, query };
  const after = await readCursor(deps, asked, v.string());
  if (!after.ok) return after;
  const page = {
    limit: query.limit ?? limits.http.listDefault,
    after: after.value,
    descending: (query.order ?? order) === 'newest',
    work: workBudget(limits.work.listCalls),
  };
  const { positionOf } = filter;
  const found = await filterPage(page, read, filter);
  return ok(await fitPage(deps, asked, found, { views: await views(found.items), positionOf }));
};

/** The position in the query's cursor; `undefined` without a cursor, 400 for a cursor of another list. */
export const readCursor = async <Position>(
  { scopeOf }: ListDeps,
  asked: Asked,
  schema: v.GenericSchema<unknown, Position>,
): Promise<Result<Position | undefined, Problem>> => {
  const { cursor } = asked.query;
  if (cursor === undefined) return ok(undefined);
  const { keys } = await scopeOf(asked.property);
  const position = openCursor(keys.cursors, boundTo(asked), cursor, schema);
  return position === undefined ? err(badCursor) : ok(position);
};

const badCursor = problems.badRequest(
  'The cursor is not one of this list, or of another filter; begin again without it.',
  [{ pointer: 'cursor', code: 'bad_cursor', detail: 'Is not a cursor of this list.' }],
);

/** The link to the page after `next`; `null` at the end. */
export const linkTo = async (
  { scopeOf, baseUrl }: ListDeps,
  asked: Asked & { readonly next?: unknown },
): Promise<string | null> => {
  if (asked.next === undefined) return null;
  const { keys } = await scopeOf(asked.property);
  const cursor = sealCursor(keys.cursors, boundTo(asked), asked.next);
  const rest = queryText({ ...asked.query, cursor: undefined });
  return `${baseUrl}${asked.list}?${rest === '' ? '' : `${rest}&`}cursor=${cursor}`;
};

/**
 * The views of as many items of a page as fit into one answer of a function, in order, and the link behind the last of
 * them. `views` has a view for each item, or for the first of them. Every list of the API ends its pages here.
 */
export const fitPage = async <Item, View, Position>(
  deps: ListDeps,
  asked: Asked,
  { items, next }: Listed<Item, Position>,
  { views, positionOf }: { readonly views: readonly View[]; readonly positionOf: (item: Item) => Position },
): Promise<ShownPage<View>> => {
  const shown = views.slice(0, fittingCount(views));
  const last = items[shown.length - 1];
  const position = last !== undefined && shown.length < items.length ? positionOf(last) : next;
  return { shown, next_page: await linkTo(deps, { ...asked, next: position }) };
};

/** The list with its filters: a cursor opens only under the same filters. The size and format of a page may change. */
const boundTo = ({ list, query }: Asked): string => {
  const filters = Object.fromEntries(Object.entries(query).filter(([name]) => !free.has(name)));
  const text = queryText(filters);
  return text === '' ? list : `${list}?${text}`;
};

const free: ReadonlySet<string> = new Set(['limit', 'cursor', 'format']);

const queryText = (query: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .toSorted()
    .join('&');

/**
 * A filter of a list; without `keep` it keeps every item. `positionOf` is the position after an item, and `mostItems`
 * bounds the items that one request examines where each costs more than a read.
 */
export interface Filter<Item, Position> {
  readonly keep?: ((item: Item) => boolean) | undefined;
  readonly positionOf: (item: Item) => Position;
  readonly mostItems?: number;
}

/**
 * A page of the items that a filter keeps. It examines at most `mostItems` items (`limits.http.filteredItems`), so a
 * page may have fewer items than its limit, or none, and still link to a next page. Without a filter it reads only the
 * page. The calls of the table that the page may make bound both.
 */
export const filterPage = async <Item, Position>(
  page: Page<Position>,
  read: (page: Page<Position>) => Promise<Listed<Item, Position>>,
  { keep, positionOf, mostItems = limits.http.filteredItems }: Filter<NoInfer<Item>, NoInfer<Position>>,
): Promise<Listed<Item, Position>> => {
  if (!keep) return read(page);
  const kept: Item[] = [];
  let place = page.after;
  for (let looked = 0; looked < mostItems;) {
    const limit = Math.min(Math.max(page.limit, FILTERED_AT_ONCE), mostItems);
    const { items, next } = await read({ ...page, limit, after: place });
    for (const [index, item] of items.entries()) {
      if (!keep(item)) continue;
      kept.push(item);
      const isLast = index === items.length - 1;
      if (kept.length === page.limit) return { items: kept, next: isLast ? next : positionOf(item) };
    }
    if (next === undefined) return { items: kept };
    looked += Math.max(items.length, 1);
    place = next;
    if (page.work?.take(0) === false) break;
  }
  return { items: kept, next: place };
};

/** A filter reads at least so many items at once, because it may keep few of them. */
const FILTERED_AT_ONCE = 100;
