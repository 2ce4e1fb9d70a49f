import type { UseCase } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { requestedDefinition } from '../model/requested-items.ts';
import { readView, statusOf, viewWithJobs, withJobs, type DefinitionReadDeps } from './export-views.ts';

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the latest file. */
export const getExport: UseCase<DefinitionReadDeps> = async (deps, request) => {
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  return ok({ status: 200, body: await readView(deps, seen.value, request.now) });
};

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
