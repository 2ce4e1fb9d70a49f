/** Conditions as segments: parses and writes their items. */
import * as v from 'valibot';
import { creatorSchema } from '../../http/api-user.ts';
import { bornAs, lifecycleSchema } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Write } from '../../table/table.ts';
import type { ConditionFacts, Segment, SegmentIdentity } from '../types.ts';
import { canonicalOf } from './canonical.ts';
import type { Where } from './shape.ts';
import { readWhere } from './where.ts';

const conditionItem = v.object({
  id: v.number(),
  name: v.string(),
  key: v.string(),
  where: v.string(),
  created: v.number(),
  created_by: creatorSchema,
  lifecycle: lifecycleSchema,
});

/** A condition as a segment. */
export type ConditionSegment = Segment & Required<Pick<Segment, 'condition'>>;

/** A condition that has no id yet. */
export interface ConditionDraft extends Omit<ConditionFacts, 'where' | 'ready'> {
  readonly name: string;
  readonly where: Where;
}

export const isCondition = (segment: Segment): segment is ConditionSegment => segment.condition !== undefined;

const TYPE = 'condition';
const PATH: readonly string[] = ['Conditions'];

/** The identity of the condition with a rule: of all names it has one segment. */
export const conditionIdentity = (
  name: string,
  where: Where,
): SegmentIdentity & { readonly key: string } => ({
  type: TYPE,
  path: PATH,
  name,
  key: JSON.stringify(['condition', canonicalOf(where)]),
});

/** The segment of a new condition. */
export const conditionOf = (
  id: number,
  { name, where, created, created_by }: ConditionDraft,
): ConditionSegment => ({
  ...conditionIdentity(name, where),
  id,
  condition: { where, created, created_by, ready: false },
});

/** Parses the item of a condition. It is ready once it is no longer pending. */
export const parseCondition = (item: StoredItem): ConditionSegment => {
  const { id, name, key, where, lifecycle, ...facts } = v.parse(conditionItem, item);
  const condition = { ...facts, where: readWhere(where), ready: lifecycle !== 'pending' };
  return { type: TYPE, path: PATH, id, name, key, condition };
};

/** Inserts the item of a new condition, which is pending until it is ready. */
export const conditionWrite = (
  property: number,
  id: number,
  { name, where, created, created_by }: ConditionDraft,
): Write => {
  const { type, key } = conditionIdentity(name, where);
  return {
    kind: 'insert',
    key: keys.segment(property, id),
    set: {
      ...{ id, type, name, key, created, created_by: { ...created_by }, ...bornAs('pending') },
      where: JSON.stringify(where),
    },
  };
};
