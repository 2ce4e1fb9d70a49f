/** Schemas of segments: the queries, bodies and responses of the routes about segments. */
import * as v from 'valibot';
import { namedListQuery, pageLimit, paging } from '../http/list-schemas.ts';
import { rule } from '../http/rule.ts';
import { shownAs } from '../http/shown-as.ts';
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
  shownAs(idSchema),
);

/** The position of a page of profiles: `page` and `before` are UUIDs of profiles, members or not. */
export const pagePlace = {
  limit: v.optional(pageLimit),
  page: v.optional(v.string()),
  before: v.optional(v.string()),
};

/** Query of `GET segments`. `name` is a whole name, not a part of a name; a blank name is ignored. */
export const findSegmentsQuery = v.strictObject({
  ...namedListQuery.entries,
  type: v.optional(v.picklist(segmentTypes)),
});
export type FindSegmentsQuery = v.InferOutput<typeof findSegmentsQuery>;

const segment = { id: v.number(), name: v.string(), type: v.picklist(segmentTypes) };

/** A segment in a list. */
export const listedSegment = v.strictObject(segment);

/** Response of `GET segments`. */
export const segmentsAnswer = v.array(listedSegment);

const time = v.pipe(v.string(), v.isoTimestamp());
const counted = { count: v.number(), as_of: time };

/** Response of the list by size: `as_of` is the begin of the measurement, null before the first. */
export const segmentSizesAnswer = v.strictObject({
  segments: v.array(v.strictObject({ ...segment, count: v.number() })),
  as_of: v.nullable(time),
  paging,
});

/** Fields of custom segments only. `replaced_by`: the successor that an edit created. */
const customShown = {
  definition: expressionSchema,
  created: time,
  created_by: creatorSchema,
  replaced_by: v.nullable(idSchema),
};

/** Response for one segment: `count` is the exact number of members at `as_of`. */
export const segmentAnswer = v.strictObject({
  ...segment,
  ...counted,
  definition: v.exactOptional(customShown.definition),
  created: v.exactOptional(customShown.created),
  created_by: v.exactOptional(customShown.created_by),
  replaced_by: v.exactOptional(customShown.replaced_by),
});

/** Body of `POST segments` and `PUT segments/{segment_id}`. The use cases check that the named segments exist. */
export const segmentBody = v.strictObject({ name: nameSchema, definition: definitionSchema });
export type SegmentBody = v.InferOutput<typeof segmentBody>;

/** Response for a new custom segment. */
export const customSegmentAnswer = v.strictObject({ ...segment, ...customShown });

/** Response of a deletion: the id of the deleted object. */
export const deletedAnswer = v.strictObject({ id: idSchema });

/** Body of `POST segments/preview`. */
export const previewBody = v.strictObject({ definition: definitionSchema });
export type PreviewBody = v.InferOutput<typeof previewBody>;

/** Response of a preview: the number of profiles in a definition, and the first of them. */
export const previewAnswer = v.strictObject({ ...counted, sample: v.array(returnedProfile) });

/** The segments of a profile in one category, and in the categories within it. */
export const treeNode: v.GenericSchema<TreeNode> = v.strictObject({
  count: v.number(),
  segments: v.array(v.string()),
  subcategories: v.record(
    v.string(),
    v.lazy(() => treeNode),
  ),
});

/** Response for the segments of a profile: tree nodes by category. */
export const treeAnswer = v.record(v.string(), treeNode);

/** Query of a segment's profiles. */
export const segmentProfilesQuery = v.strictObject({ ...pagePlace, not: v.optional(segmentId) });
export type SegmentProfilesQuery = v.InferOutput<typeof segmentProfilesQuery>;

const link = v.nullable(v.string());

/** Links of a page of profiles to its neighbours, and its number of profiles. */
export const profilePaging = v.strictObject({
  next_page: link,
  previous_page: link,
  next_page_uuid: link,
  previous_page_uuid: link,
  count: v.number(),
});

/** Response for the profiles of a segment. */
export const segmentProfilesAnswer = v.strictObject({
  paging: profilePaging,
  profiles: v.array(returnedProfile),
});
