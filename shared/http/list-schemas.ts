import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { rule } from './rule.ts';
import { shownAs } from './shown-as.ts';

/** A whole number in a query, from `least` to `most`; neither has more than four digits. */
export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.string(),
    rule<string>(
      'out_of_range',
      (text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `Must be a whole number from ${least} to ${most}.`,
    ),
    v.transform(Number),
    shownAs(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))),
  );

/** `limit` of every list. */
export const pageLimit = wholeNumber(1, limits.http.pageMax);

/** `order` of a list: by the creation time of its items. */
const order = v.optional(v.picklist(['oldest', 'newest']));
export type Order = 'oldest' | 'newest';

const place = { limit: v.optional(pageLimit), cursor: v.optional(v.string()) };

/** Query parameters of every list with an order. */
export const orderedPlace = { ...place, order };

/** Part of a name, compared without case; a blank text filters nothing. */
const namePart = v.optional(v.string());

/** Query of a list of named definitions. */
export const namedListQuery = v.strictObject({ ...orderedPlace, name: namePart });
export type NamedListQuery = v.InferOutput<typeof namedListQuery>;

/** Query of a list of jobs, or of definitions filtered by the status of their jobs. */
export const statusListQuery = <const Statuses extends readonly string[]>(statuses: Statuses) =>
  v.strictObject({ ...orderedPlace, status: v.optional(v.picklist(statuses)) });
export type StatusListQuery = ListQuery & {
  readonly order?: Order | undefined;
  readonly status?: string | undefined;
};

/** Query of a list without filter and order. */
export const listQuery = v.strictObject(place);
export type ListQuery = v.InferOutput<typeof listQuery>;

/** The link from a page of a list to the next page. */
export const paging = v.object({ next_page: v.nullable(v.string()) });
