/** Collection entries: the routes of collections. */
import { collectionAnswer, collectionBody, collectionsAnswer } from '../../shared/collections/schemas.ts';
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { deletedAnswer } from '../../shared/segments/schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry } from '../entry.ts';

export const createCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'collections/create-collection',
  summary: 'Create a collection: a named list of segments that you export together',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/collections',
    aliases: 'api',
    auth: 'token',
    body: collectionBody,
    answer: collectionAnswer,
    statuses: [201],
  },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.increment],
    },
  ],
}));

export const listCollections = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'collections/list-collections',
  summary: 'List the collections',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/collections',
    aliases: 'api',
    auth: 'token',
    query: namedListQuery,
    answer: collectionsAnswer,
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
}));

export const getCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'collections/get-collection',
  summary: 'Show a collection',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/collections/{collection_id}',
    aliases: 'api',
    auth: 'token',
    answer: collectionAnswer,
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read] }],
}));

export const replaceCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'collections/replace-collection',
  summary: 'Replace the name and the segments of a collection',
  trigger: {
    kind: 'http',
    method: 'PUT',
    path: '/v1/{property_id}/collections/{collection_id}',
    aliases: 'api',
    auth: 'token',
    body: collectionBody,
    answer: collectionAnswer,
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] }],
}));

export const deleteCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'collections/delete-collection',
  summary: 'Delete a collection that no export with open jobs or coming runs uses',
  trigger: {
    kind: 'http',
    method: 'DELETE',
    path: '/v1/{property_id}/collections/{collection_id}',
    aliases: 'api',
    auth: 'token',
    answer: deletedAnswer,
    statuses: [200],
    codes: ['in_use'],
  },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
  ],
}));
