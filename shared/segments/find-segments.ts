import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { bareList, filterPage, fitPage, readCursor, type ListDeps, type Page } from '../http/listing.ts';
import { ok } from '../runtime/result.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { FindSegmentsQuery } from './schemas.ts';
import type { Segment } from '../catalogue/types.ts';

export interface FindSegmentsDeps extends ListDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'list'>;
}

/**
 * `GET segments`: lists segments by name, by type, or all, in order of id, by default the oldest first. A condition that is
 * not ready is only in the list of its type. Responds with a
 * bare array, and the next page in the `Link` header. 400 for a cursor of another list.
 */
export const findSegments: UseCase<FindSegmentsDeps, FindSegmentsQuery> = async (
  deps,
  { property, query },
) => {
  const name = query.name?.trim() === '' ? undefined : query.name;
  const asked = { property: property.id, list: `/v1/${property.id}/segments`, query: { ...query, name } };
  const after = await readCursor(deps, asked, v.number());
  if (!after.ok) return after;
  const limit = query.limit ?? limits.http.pageDefault;
  const positionOf = ({ id }: Segment): number => id;
  const found = await filterPage(
    { limit, after: after.value, descending: query.order === 'newest' },
    (wanted: Page<number>) =>
      name === undefined
        ? deps.catalogue.list(property.id, wanted)
        : deps.catalogue.find(property.id, name, wanted),
    {
      keep: ({ type, condition }) =>
        query.type === undefined ? condition?.ready !== false : type === query.type,
      positionOf,
    },
  );
  const views = found.items.map(segmentView);
  return ok(bareList(await fitPage(deps, asked, found, { views, positionOf })));
};

const segmentView = ({ id, name, type }: Segment) => ({ id, name, type });
