/** Collection entries: the routes of collections. */
import { collectionAnswer, collectionBody, collectionsAnswer } from '../../shared/collections/schemas.ts';
import { deletedAnswer, namedListQuery } from '../../shared/http/list-schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

export const createCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'collections/create-collection',
  summary: 'Create a collection: a named list of segments that you export together',
  trigger: route('POST', '/v1/{property_id}/collections', {
    permission: 'definitions.write',
    body: collectionBody,
    answer: collectionAnswer,
    statuses: [201],
    codes: ['segment_preparing'],
  }),
  access: { table: ['query', 'increment'] },
}));

export const listCollections = /* @__PURE__ */ entry(() => ({
  ...linkFunction('api'),
  source: 'collections/list-collections',
  summary: 'List the collections',
  trigger: route('GET', '/v1/{property_id}/collections', {
    permission: 'definitions.read',
    query: namedListQuery,
    answer: collectionsAnswer,
  }),
}));

export const getCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'collections/get-collection',
  summary: 'Show a collection',
  trigger: route('GET', '/v1/{property_id}/collections/{collection_id}', {
    permission: 'definitions.read',
    answer: collectionAnswer,
  }),
  access: { table: ['read'] },
}));

export const replaceCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'collections/replace-collection',
  summary: 'Replace the name and the segments of a collection',
  trigger: route('PUT', '/v1/{property_id}/collections/{collection_id}', {
    permission: 'definitions.write',
    body: collectionBody,
    answer: collectionAnswer,
    codes: ['segment_preparing'],
  }),
  access: { table: ['read', 'query', 'insert', 'update'] },
}));

export const deleteCollection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'collections/delete-collection',
  summary: 'Delete a collection that no export with open jobs or coming runs uses',
  trigger: route('DELETE', '/v1/{property_id}/collections/{collection_id}', {
    permission: 'definitions.write',
    answer: deletedAnswer,
    codes: ['in_use'],
  }),
  access: { table: ['read', 'query', 'update', 'delete'] },
}));
