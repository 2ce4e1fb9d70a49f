/** Schemas of segments: the queries, bodies and responses of the routes about segments. */
import * as v from 'valibot';
import { definitionSchema, expressionSchema } from '../catalogue/definition.ts';
import { whereSchema } from '../catalogue/conditions/where.ts';
import type { TreeNode } from '../catalogue/tree.ts';
import { segmentTypes } from '../catalogue/types.ts';
import { limits } from '../config/limits.ts';
import { shownCreatorSchema } from '../http/api-user.ts';
import { described, shownAs } from '../http/described.ts';
import { namedListQuery, pageLimit, paging } from '../http/list-schemas.ts';
import { rule } from '../http/rule.ts';
import { idSchema, nameSchema } from '../http/text.ts';
import { includeList, pageIncludes } from '../profiles/include-schema.ts';
import { previewDefinition } from './preview-definition.ts';

/** The id of a segment in a query. */
export const segmentId = v.pipe(
  v.string(),
  rule<string>('wrong_format', (text) => /^[1-9][0-9]{0,15}$/.test(text), 'Must be a segment id.'),
  v.transform(Number),
  shownAs(idSchema),
);

/**
 * The position of a page of profiles, and what it shows of each. `page` and `before` are UUIDs of profiles, members or
 * not.
 */
export const pageOfPeople = {
  limit: described(
    `The most profiles of a page. The default is ${limits.http.pageDefault}.`,
    v.optional(pageLimit),
  ),
  page: described(
    'The page begins at the profile with this id. The links to other pages contain it; leave it out for the first page.',
    v.optional(v.string()),
  ),
  before: described(
    'The page ends before the profile with this id. The links to previous pages contain it.',
    v.optional(v.string()),
  ),
  include: described(
    'What to add to each profile besides the 23 fields, each under its own name. Separate several by commas. The links to other pages keep it.',
    v.optional(includeList(pageIncludes)),
  ),
};

/** Query of `GET segments`. `name` is a whole name, not a part of a name; a blank name is ignored. */
export const findSegmentsQuery = v.strictObject({
  ...namedListQuery.entries,
  name: described(
    'Lists only segments with this name, ignoring case. A blank text filters nothing.',
    namedListQuery.entries.name,
  ),
  type: described('Lists only segments of this type.', v.optional(v.picklist(segmentTypes))),
});
export type FindSegmentsQuery = v.InferOutput<typeof findSegmentsQuery>;

const segment = {
  id: described('The id of the segment. It never changes.', v.pipe(v.number(), v.integer())),
  name: described(
    'The name of the segment. Segments of different types or categories may have the same name.',
    v.string(),
  ),
  type: described(
    'What the segment is made from: a value of profiles, such as a tag; a definition (`custom`); or a moment of a timeline (`moment`).',
    v.picklist(segmentTypes),
  ),
};

/** A segment in a list. */
export const listedSegment = v.strictObject(segment);

/** Response of `GET segments`. */
export const segmentsAnswer = v.array(listedSegment);

const time = v.pipe(v.string(), v.isoTimestamp());
/** The number of people in a segment, and the time of the count. */
export const counted = {
  count: described(
    'The exact number of profiles in the segment at `as_of`.',
    v.pipe(v.number(), v.integer()),
  ),
  as_of: described('When the profiles were counted.', time),
};

/** Response of the list by size: `as_of` is the begin of the measurement, Null before the first. */
export const segmentSizesAnswer = v.strictObject({
  segments: described(
    'The segments, the largest first.',
    v.array(
      v.strictObject({
        ...segment,
        count: described('The number of profiles in the segment.', v.pipe(v.number(), v.integer())),
      }),
    ),
  ),
  as_of: described(
    'When the measurement began: the sizes include all changes before. Null before the first measurement.',
    v.nullable(time),
  ),
  paging,
});

/** Fields of custom segments only. `replaced_by`: the successor that an edit created. */
const customShown = {
  definition: described(
    'The segments of which a custom segment is made: an id, or a combination.',
    expressionSchema,
  ),
  created: described('When the custom segment or the condition was created.', time),
  created_by: described('The user who created the custom segment or the condition.', shownCreatorSchema),
  replaced_by: described(
    'The id of the segment that an edit made in place of this one. Null while this one is current.',
    v.nullable(idSchema),
  ),
};

/** Fields of conditions only. */
const conditionShown = {
  where: described('The rule of a condition, as it was sent.', whereSchema),
  ready: described(
    'Whether the index has all profiles of the condition. Until then nothing can name it, and its count is null.',
    v.boolean(),
  ),
  progress: described(
    'How far the condition is prepared, from 0 to 1. The wait of up to two minutes is nine tenths of it.',
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  ),
};

/** Fields that either custom segments or conditions have. */
const definedShown = v.partial(
  v.object({
    definition: customShown.definition,
    replaced_by: customShown.replaced_by,
    ...conditionShown,
  }),
).entries;

/** Response for one segment: `count` is the exact number of members at `as_of`. */
export const segmentAnswer = v.strictObject({
  ...segment,
  count: described(
    'The exact number of profiles in the segment at `as_of`. Null for a condition that is not ready.',
    v.nullable(counted.count),
  ),
  as_of: counted.as_of,
  ...definedShown,
  ...v.partial(v.object({ created: customShown.created, created_by: customShown.created_by })).entries,
});

const definitionSentence =
  'The members: the id of a segment, a segment by name (`named`), or a combination (`all`, `any` or `not`).';

/**
 * Body of `POST segments` and `PUT segments/{segment_id}`: a custom segment or a condition. The use cases check that
 * it is one of them, and that the named segments exist.
 */
export const segmentBody = v.strictObject({
  name: described('The name of the segment. It need not be unique.', nameSchema),
  definition: described(definitionSentence, v.optional(definitionSchema)),
  where: described(
    'In place of a definition, a rule over one field of a profile: the members are the people who meet it. To create one takes the permission `people.read`, too.',
    v.optional(whereSchema),
  ),
});
export type SegmentBody = v.InferOutput<typeof segmentBody>;

/** Response for a new custom segment, or a new condition. */
export const customSegmentAnswer = v.strictObject({
  ...segment,
  created: customShown.created,
  created_by: customShown.created_by,
  ...definedShown,
});

/** Body of `POST segments/preview`. The use case checks that it has one of both. */
export const previewBody = v.strictObject({
  definition: described(
    `${definitionSentence} Here a rule may stand in place of a segment, too (\`where\`).`,
    v.optional(previewDefinition),
  ),
  where: described('In place of a definition, a rule over one field of a profile.', v.optional(whereSchema)),
});
export type PreviewBody = v.InferOutput<typeof previewBody>;

/** The segments of a profile in one category, and in the categories within it. */
export const treeNode: v.GenericSchema<TreeNode> = v.strictObject({
  count: described(
    'The number of segments in this category and the categories below.',
    v.pipe(v.number(), v.integer()),
  ),
  segments: described('The names of the segments directly in this category.', v.array(v.string())),
  subcategories: described(
    'The categories below, by name.',
    v.record(
      v.string(),
      v.lazy(() => treeNode),
    ),
  ),
});

/** Response for the segments of a profile: tree nodes by category. */
export const treeAnswer = v.record(v.string(), treeNode);

/** Query of a segment's profiles. */
export const segmentProfilesQuery = v.strictObject({
  ...pageOfPeople,
  not: described('The id of a segment whose members are left out.', v.optional(segmentId)),
});
export type SegmentProfilesQuery = v.InferOutput<typeof segmentProfilesQuery>;
