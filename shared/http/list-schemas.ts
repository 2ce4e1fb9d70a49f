import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
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

/** Query of a list. */
export const listQuery = v.strictObject({ limit: v.optional(pageLimit), cursor: v.optional(v.string()) });
export type ListQuery = v.InferOutput<typeof listQuery>;

/** What a page of a list says of the next one. */
export const paging = v.object({ next_page: v.nullable(v.string()) });
