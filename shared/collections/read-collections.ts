import { creatorView } from '../http/api-user.ts';
import type { UseCase } from '../http/api-types.ts';
import type { NamedListQuery } from '../http/list-schemas.ts';
import { answerList, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import { hasInName } from '../catalogue/name-filter.ts';
import { keys } from '../table/keys.ts';
import type { Collection, CollectionRepository } from './repository.ts';

interface Deps {
  readonly collections: CollectionRepository;
}

/** The view of a collection. */
export const collectionView = ({ id, name, segments, created, created_by }: Collection) => ({
  id,
  name,
  segments,
  created: isoTime(created),
  created_by: creatorView(created_by),
});

/** `GET collections/{collection_id}`. */
export const getCollection: UseCase<Deps> = async ({ collections }, { property, path }) => {
  const seen = await collections.get(property.id, Number(path['collection_id']));
  return seen
    ? ok({ status: 200, body: collectionView(seen.collection) })
    : err(notFound('collection', { property, path }));
};

/**
 * `GET collections`: lists collections in order of creation, by default the oldest first; all, or those whose name
 * contains a text.
 */
export const listCollections: UseCase<Deps & ListDeps, NamedListQuery> = async (deps, request) => {
  const { property, query } = request;
  return answerList(deps, request, 'collections', {
    path: `/v1/${property.id}/collections`,
    read: (page) => deps.collections.list(property.id, page),
    keep: hasInName(query.name),
    positionOf: ({ id }) => keys.collection(property.id, id).sk,
    views: (collections) => collections.map(collectionView),
  });
};
