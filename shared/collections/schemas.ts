import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { shownCreatorSchema } from '../http/api-user.ts';
import { fullListUpTo } from '../http/bounded-list.ts';
import { described } from '../http/described.ts';
import { paging } from '../http/list-schemas.ts';
import { segmentRef } from '../catalogue/segment-refs.ts';
import { idSchema, nameSchema } from '../http/text.ts';

const segments = fullListUpTo(limits.segments.perCollection, segmentRef);

/** Body of `POST collections` and `PUT collections/{collection_id}`. */
export const collectionBody = v.strictObject({
  name: described('The name of the collection. It need not be unique.', nameSchema),
  segments: described(
    'The segments of the collection: their ids, or objects like `{"type": "tag", "name": "Jazz"}`.',
    segments,
  ),
});
export type CollectionBody = v.InferOutput<typeof collectionBody>;

/** Response for a collection. */
export const collectionAnswer = v.strictObject({
  id: described('The id of the collection. It stays the same when the collection is replaced.', idSchema),
  name: described('The name of the collection.', v.string()),
  segments: described('The ids of the segments of the collection.', v.array(idSchema)),
  created: described('When the collection was created.', v.pipe(v.string(), v.isoTimestamp())),
  created_by: described('The user who created the collection.', shownCreatorSchema),
});

/** Response for a page of collections. */
export const collectionsAnswer = v.strictObject({
  collections: described('The collections of this page.', v.array(collectionAnswer)),
  paging,
});
