import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import type { PropertyScope } from '../profiles/types.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { openCursor, sealCursor } from './cursor.ts';
import type { ListQuery } from './list-schemas.ts';
import { problems, type Problem } from './problem.ts';

/** A page of a list: how many, and behind which position. */
export interface Page {
  readonly limit: number;
  readonly after?: string;
}

/** What lists need besides their items. */
export interface ListDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** A list of a property, by its canonical path, and the query it was asked with. */
interface Asked {
  readonly property: number;
  readonly list: string;
  readonly query: ListQuery & { readonly format?: 'json' | 'csv' };
}

/** The page asked for; 400 when the cursor is not one of this list. Keys are only read when there is a cursor. */
export const readPage = async (deps: ListDeps, asked: Asked): Promise<Result<Page, Problem>> => {
  const limit = asked.query.limit ?? limits.imports.jobsPerPage;
  const position = await readCursor(deps, asked, v.string());
  if (!position.ok) return position;
  return ok({ limit, ...(position.value === undefined ? {} : { after: position.value }) });
};

/** The position in the query's cursor; `undefined` without a cursor, 400 for one that is not of this list. */
export const readCursor = async <Position>(
  { scopeOf }: ListDeps,
  { property, list, query }: Asked,
  schema: v.GenericSchema<unknown, Position>,
): Promise<Result<Position | undefined, Problem>> => {
  if (query.cursor === undefined) return ok(undefined);
  const { keys } = await scopeOf(property);
  const position = openCursor(keys.cursors, list, query.cursor, schema);
  return position === undefined ? err(badCursor) : ok(position);
};

const badCursor = problems.badRequest('The cursor is not one of this list.', [
  { pointer: 'cursor', code: 'bad_cursor', detail: 'Is not a cursor of this list.' },
]);

/** The link to what lies behind `next`; `null` at the end. */
export const linkTo = async (
  { scopeOf, baseUrl }: ListDeps,
  { property, list, query, next }: Asked & { readonly next?: unknown },
): Promise<string | null> => {
  if (next === undefined) return null;
  const { keys } = await scopeOf(property);
  const limit = query.limit === undefined ? '' : `limit=${query.limit}&`;
  const format = query.format === 'csv' ? 'format=csv&' : '';
  return `${baseUrl}${list}?${format}${limit}cursor=${sealCursor(keys.cursors, list, next)}`;
};
