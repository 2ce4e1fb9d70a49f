import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { rule } from './rule.ts';

/** `limit` of every list. */
export const pageLimit = v.pipe(
  v.string(),
  rule<string>(
    'out_of_range',
    (text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= limits.http.pageMax,
    'Must be a whole number from 1 to 1000.',
  ),
  v.transform(Number),
);

/** `order` of a list: by the time at which its items were made. */
const order = v.optional(v.picklist(['oldest', 'newest']));
export type Order = 'oldest' | 'newest';

const place = { limit: v.optional(pageLimit), cursor: v.optional(v.string()) };
/** What the queries of all lists with an order have. */
export const orderedPlace = { ...place, order };
/** Part of a name, compared without case; a blank one is as good as none. */
const namePart = v.optional(v.string());

/** Query of a list of definitions that have names. */
export const namedListQuery = v.strictObject({ ...orderedPlace, name: namePart });
export type NamedListQuery = v.InferOutput<typeof namedListQuery>;

/** Query of a list of jobs, or of what is listed by the status of its jobs. */
export const statusListQuery = <const Statuses extends readonly string[]>(statuses: Statuses) =>
  v.strictObject({ ...orderedPlace, status: v.optional(v.picklist(statuses)) });
export type StatusListQuery = ListQuery & {
  readonly order?: Order | undefined;
  readonly status?: string | undefined;
};

/** Query of a list that is neither filtered nor ordered. */
export const listQuery = v.strictObject(place);
export type ListQuery = v.InferOutput<typeof listQuery>;

/** What a page of a list says of the next one. */
export const paging = v.object({ next_page: v.nullable(v.string()) });
