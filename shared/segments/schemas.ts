import * as v from 'valibot';
import { namedListQuery, pageLimit, paging } from '../http/list-schemas.ts';
import { rule } from '../http/rule.ts';
import { creatorSchema } from '../http/api-user.ts';
import { idSchema, nameSchema } from '../http/text.ts';
import { returnedProfile } from '../profiles/schemas.ts';
import { definitionSchema, expressionSchema } from '../catalogue/definition.ts';
import type { TreeNode } from '../catalogue/tree.ts';
import { segmentTypes } from '../catalogue/types.ts';

/** The id of a segment in a query. */
export const segmentId = v.pipe(
  v.string(),
  rule<string>('wrong_format', (text) => /^[1-9][0-9]{0,15}$/.test(text), 'Must be a segment id.'),
  v.transform(Number),
);

/** Which page of profiles: `page` and `before` are UUIDs of profiles, members or not. */
export const pagePlace = {
  limit: v.optional(pageLimit),
  page: v.optional(v.string()),
  before: v.optional(v.string()),
};

/** Query of the segment lookup. `name` is a whole name here, not a part of a name; a blank one is as good as none. */
export const findSegmentsQuery = v.strictObject({
  ...namedListQuery.entries,
  type: v.optional(v.picklist(segmentTypes)),
});
export type FindSegmentsQuery = v.InferOutput<typeof findSegmentsQuery>;

const segment = { id: v.number(), name: v.string(), type: v.picklist(segmentTypes) };

/** Answer of the segment lookup. */
export const segmentsAnswer = v.array(v.strictObject(segment));

const time = v.pipe(v.string(), v.isoTimestamp());
const counted = { count: v.number(), as_of: time };

/** Answer of the list by size: `as_of` is when the counting began, null before the first. */
export const segmentSizesAnswer = v.strictObject({
  segments: v.array(v.strictObject({ ...segment, count: v.number() })),
  as_of: v.nullable(time),
  paging,
});

/** What a custom segment shows besides. `replaced_by`: the segment that an edit made in its place. */
const customShown = {
  definition: expressionSchema,
  created: time,
  created_by: creatorSchema,
  replaced_by: v.nullable(idSchema),
};

/** Answer of one segment: `count` members, exactly, when the count began. */
export const segmentAnswer = v.strictObject({
  ...segment,
  ...counted,
  definition: v.exactOptional(customShown.definition),
  created: v.exactOptional(customShown.created),
  created_by: v.exactOptional(customShown.created_by),
  replaced_by: v.exactOptional(customShown.replaced_by),
});

/** Body of `POST segments` and `PUT segments/{segment_id}`. Whether what it names is there is asked elsewhere. */
export const segmentBody = v.strictObject({ name: nameSchema, definition: definitionSchema });
export type SegmentBody = v.InferOutput<typeof segmentBody>;

/** A custom segment as it was just made. */
export const customSegmentAnswer = v.strictObject({ ...segment, ...customShown });

/** Answer of a deletion: what is gone. */
export const deletedAnswer = v.strictObject({ id: idSchema });

/** Body of `POST segments/preview`. */
export const previewBody = v.strictObject({ definition: definitionSchema });
export type PreviewBody = v.InferOutput<typeof previewBody>;

/** Whom a definition would hold: how many, and the first of them. */
export const previewAnswer = v.strictObject({ ...counted, sample: v.array(returnedProfile) });

const treeNode: v.GenericSchema<TreeNode> = v.strictObject({
  count: v.number(),
  segments: v.array(v.string()),
  subcategories: v.record(
    v.string(),
    v.lazy(() => treeNode),
  ),
});

/** Answer of a profile's segments: nodes by category. */
export const treeAnswer = v.record(v.string(), treeNode);

/** Query of a segment's profiles. */
export const segmentProfilesQuery = v.strictObject({ ...pagePlace, not: v.optional(segmentId) });
export type SegmentProfilesQuery = v.InferOutput<typeof segmentProfilesQuery>;

const link = v.nullable(v.string());

/** What a page of profiles says of its neighbours, and how many it holds. */
export const profilePaging = v.strictObject({
  next_page: link,
  previous_page: link,
  next_page_uuid: link,
  previous_page_uuid: link,
  count: v.number(),
});

/** Answer of a segment's profiles. */
export const segmentProfilesAnswer = v.strictObject({
  paging: profilePaging,
  profiles: v.array(returnedProfile),
});
