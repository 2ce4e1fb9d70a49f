import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { openCursor, sealCursor } from '../http/cursor.ts';
import { fittingCount } from '../http/fitting.ts';
import { problems } from '../http/problem.ts';
import type { PropertyScope } from '../profiles/types.ts';
import { err, ok } from '../runtime/result.ts';
import type { SegmentCatalogue } from './catalogue.ts';
import type { SegmentPage } from './catalogue-lists.ts';
import { foldName } from './identity.ts';
import type { FindSegmentsQuery } from './schemas.ts';
import type { Segment } from './types.ts';

/** What the segment lookup needs. `baseUrl` is the configured address of the service. */
export interface FindSegmentsDeps {
  readonly catalogue: SegmentCatalogue;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** Finds segments by name, or lists all: a bare array in pages, the next one in `Link`. 400 for a cursor not ours. */
export const findSegmentsUseCase =
  ({ catalogue, scopeOf, baseUrl }: FindSegmentsDeps): UseCase<FindSegmentsQuery, undefined> =>
  async ({ property, query }) => {
    const name = query.name?.trim() === '' ? undefined : query.name;
    const limit = query.limit ?? limits.http.pageDefault;
    const { cursors } = (await scopeOf(property.id)).keys;
    const route = `segments ${name === undefined ? '*' : `=${foldName(name)}`}`;
    const after =
      query.cursor === undefined ? undefined : openCursor(cursors, route, query.cursor, v.number());
    if (query.cursor !== undefined && after === undefined)
      return err(problems.badRequest('The cursor is not one of this list.'));
    const page = fitting(
      name === undefined
        ? await catalogue.list(property.id, limit, after)
        : await catalogue.find(property.id, name, limit, after),
    );
    const next = page.next === undefined ? undefined : sealCursor(cursors, route, page.next);
    return ok({
      status: 200,
      body: page.segments.map(shown),
      ...(next === undefined
        ? {}
        : { headers: { link: linkTo(baseUrl, property.id, { ...query, cursor: next }) } }),
    });
  };

const shown = ({ id, name, type }: Segment) => ({ id, name, type });

/** As much of a page as an answer may hold: names can be long. */
const fitting = (page: SegmentPage): SegmentPage => {
  const segments = page.segments.slice(0, fittingCount(page.segments.map(shown)));
  const last = segments.at(-1);
  return last && segments.length < page.segments.length ? { segments, next: last.id } : page;
};

const linkTo = (baseUrl: string, property: number, query: FindSegmentsQuery): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `<${baseUrl}/v1/${property}/segments?${parameters.join('&')}>; rel="next"`;
};
