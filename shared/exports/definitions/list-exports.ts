import type { UseCase } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList } from '../../http/listing.ts';
import { keys } from '../../table/keys.ts';
import { statusOf, viewWithJobs, withJobs, type DefinitionReadDeps } from './export-views.ts';

/**
 * `GET exports`: definitions in order of creation, the oldest first unless the query says otherwise, with an optional
 * status filter.
 */
export const listExports: UseCase<DefinitionReadDeps, StatusListQuery> = async (deps, request) => {
  const { property, query, now } = request;
  return answerList(deps, request, 'exports', {
    path: `/v1/${property.id}/exports`,
    read: async (page) => {
      const read = await deps.exports.definitions(property.id, page);
      return { ...read, items: await withJobs(deps, read.items) };
    },
    keep: query.status === undefined ? undefined : (item) => statusOf(item) === query.status,
    positionOf: ({ definition }) => keys.exportDefinition(property.id, definition.export).sk,
    views: (items) => Promise.all(items.map((item) => viewWithJobs(deps, item, now))),
  });
};
