/** Use cases that read erasures. */
import type { UseCase } from '../http/api-types.ts';
import { answerList, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Table } from '../table/table.ts';
import type { ErasuresQuery } from './schemas.ts';
import { erasureView, parseErasure } from './erasure-items.ts';

/** `GET erasures/{erasure_id}`: an erasure, running or as its receipt. 404 without one. */
export const getErasure: UseCase<{ readonly table: Pick<Table, 'get'> }> = async (
  { table },
  { property, path },
) => {
  const id = Number(path['erasure_id']);
  const item = belongsTo(property.id, id) ? await table.get(keys.erasure(property.id, id)) : undefined;
  return item
    ? ok({ status: 200, body: erasureView(parseErasure(item)) })
    : err(notFound('erasure', { property, path }));
};

/** `GET erasures`: the erasures of a property in the order in which they began. */
export const listErasures: UseCase<ListDeps & { readonly table: Pick<Table, 'query'> }, ErasuresQuery> = (
  deps,
  request,
) => {
  const { property } = request;
  return answerList(deps, request, 'erasures', {
    path: `/v1/${property.id}/erasures`,
    read: async (page) => {
      const { items, next } = await deps.table.query(keys.erasures(property.id), page);
      return { items: items.map(parseErasure), next };
    },
    positionOf: ({ id }) => keys.erasure(property.id, id).sk,
    views: (erasures) => erasures.map(erasureView),
  });
};
