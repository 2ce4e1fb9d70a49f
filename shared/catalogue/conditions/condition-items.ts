/** Conditions as segments: parses and writes their items. */
import * as v from 'valibot';
import { creatorSchema } from '../../http/api-user.ts';
import { bornAs, lifecycleSchema } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Write } from '../../table/table.ts';
import type { ConditionFacts, Segment, SegmentIdentity } from '../types.ts';
import { canonicalOf } from './canonical.ts';
import type { Where } from './shape.ts';
import { whereSchema } from './where.ts';

const conditionItem = v.object({
  id: v.number(),
  name: v.string(),
  key: v.string(),
  where: v.pipe(v.string(), v.parseJson(), whereSchema),
  created: v.number(),
  created_by: creatorSchema,
  lifecycle: lifecycleSchema,
});

/** A condition as a segment. */
export type ConditionSegment = Segment & Required<Pick<Segment, 'condition'>>;

/** A condition that has no id yet. */
export interface ConditionDraft extends Omit<ConditionFacts, 'ready'> {
  readonly name: string;
}

export const isCondition = (segment: Segment): segment is ConditionSegment => segment.condition !== undefined;

/** The identity of the condition with a rule: of all names it has one segment. */
export const conditionIdentity = (name: string, where: Where): SegmentIdentity => ({
  type: 'condition',
  path: ['Conditions'],
  name,
  key: JSON.stringify(['condition', canonicalOf(where)]),
});

/** The segment of a draft. */
export const conditionOf = (
  id: number,
  { name, where, created, created_by }: ConditionDraft,
  ready: boolean,
): ConditionSegment => ({
  ...conditionIdentity(name, where),
  id,
  condition: { where, created, created_by, ready },
});

/** Parses the item of a condition. It is ready once it is no longer pending. */
export const parseCondition = (item: StoredItem): ConditionSegment => {
  const { id, key, lifecycle, ...draft } = v.parse(conditionItem, item);
  return { ...conditionOf(id, draft, lifecycle !== 'pending'), key };
};

/** Inserts the item of a condition, which is pending until it is ready. */
export const conditionWrite = (
  property: number,
  { id, type, name, key, condition }: ConditionSegment,
): Write => {
  const { where, created, created_by } = condition;
  return {
    kind: 'insert',
    key: keys.segment(property, id),
    set: {
      ...{ id, type, name, created, created_by: { ...created_by }, ...bornAs('pending') },
      ...(key === undefined ? {} : { key }),
      where: JSON.stringify(where),
    },
  };
};
