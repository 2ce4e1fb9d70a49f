import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { creatorSchema } from '../http/api-user.ts';
import { fullListUpTo } from '../http/bounded-list.ts';
import { segmentRef } from '../catalogue/segment-refs.ts';
import { idSchema, nameSchema } from '../http/text.ts';

const segments = fullListUpTo(limits.segments.perCollection, segmentRef);

/** Body of `POST collections` and `PUT collections/{collection_id}`. */
export const collectionBody = v.strictObject({ name: nameSchema, segments });
export type CollectionBody = v.InferOutput<typeof collectionBody>;

/** Response for a collection. */
export const collectionAnswer = v.strictObject({
  id: idSchema,
  name: v.string(),
  segments: v.array(idSchema),
  created: v.pipe(v.string(), v.isoTimestamp()),
  created_by: creatorSchema,
});

/** Response for a page of collections. */
export const collectionsAnswer = v.strictObject({
  collections: v.array(collectionAnswer),
  paging: v.strictObject({ next_page: v.nullable(v.string()) }),
});
