import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described, shownAs } from './described.ts';
import { rule } from './rule.ts';
import { idSchema } from './text.ts';

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

const order = described(
  'Which items come first, by their creation. By default `oldest`, but `newest` for jobs and the audit log.',
  v.optional(v.picklist(['oldest', 'newest'])),
);
export type Order = 'oldest' | 'newest';

const { listDefault, pageDefault } = limits.http;
const place = {
  limit: described(
    `The most items of a page. The default is ${listDefault}, and ${pageDefault} for segments, segment sizes and reports.`,
    v.optional(pageLimit),
  ),
  cursor: described(
    'The position in the list. It is part of the link to the next page; leave it out for the first page.',
    v.optional(v.string()),
  ),
};

/** Query parameters of every list with an order. */
export const orderedPlace = { ...place, order };

const namePart = described(
  'Lists only items whose name contains this text, ignoring case. A blank text filters nothing.',
  v.optional(v.string()),
);

/** Query of a list of named definitions. */
export const namedListQuery = v.strictObject({ ...orderedPlace, name: namePart });
export type NamedListQuery = v.InferOutput<typeof namedListQuery>;

/** Query of a list of jobs, or of definitions filtered by the status of their jobs. */
export const statusListQuery = <const Statuses extends readonly string[]>(statuses: Statuses) =>
  v.strictObject({
    ...orderedPlace,
    status: described('Lists only items with this status.', v.optional(v.picklist(statuses))),
  });
export type StatusListQuery = ListQuery & {
  readonly order?: Order | undefined;
  readonly status?: string | undefined;
};

/** Query of a list without filter and order. */
export const listQuery = v.strictObject(place);
export type ListQuery = v.InferOutput<typeof listQuery>;

/** The link from a page of a list to the next page. */
export const paging = described(
  'The link to the next page.',
  v.object({
    next_page: described(
      'The address of the next page. Null on the last page. A page with a filter may have few items, or none, and still link to a next page.',
      v.nullable(v.string()),
    ),
  }),
);

/** Response of a deletion: the id of the deleted object. */
export const deletedAnswer = v.strictObject({ id: described('The id of the object in the path.', idSchema) });
