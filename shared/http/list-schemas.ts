import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';

const limit = v.optional(
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number), v.maxValue(limits.http.pageMax)),
);

/** Query of a list. */
export const listQuery = v.strictObject({ limit, cursor: v.optional(v.string()) });
export type ListQuery = v.InferOutput<typeof listQuery>;

/** What a page of a list says of the next one. */
export const paging = v.object({ next_page: v.nullable(v.string()) });
