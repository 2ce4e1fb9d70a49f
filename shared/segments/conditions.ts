/** Conditions: creates, renames and deletes segments that are defined by a rule over the values of profiles. */
import {
  conditionIdentity,
  conditionOf,
  conditionWrite,
  isCondition,
  parseCondition,
  type ConditionDraft,
  type ConditionSegment,
} from '../catalogue/conditions/condition-items.ts';
import {
  conditionsWrite,
  isFull,
  readConditions,
  withDropped,
  withNew,
} from '../catalogue/conditions/condition-list.ts';
import { ruleOf } from '../catalogue/conditions/rule.ts';
import { claimKey, nameKey } from '../catalogue/identity.ts';
import {
  claimedSegment,
  claimWrite,
  newSegmentId,
  quotaWrite,
  visibleSegments,
} from '../catalogue/segment-items.ts';
import type { Segment } from '../catalogue/types.ts';
import { deleteUnreferenced, type DeleteDeps, type InUse } from '../references/delete-unreferenced.ts';
import { isLive } from '../references/lifecycle.ts';
import type { ReferenceDeps } from '../references/references.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { taskWrite } from '../tasks/tasks.ts';
import type { CustomRefusal } from './custom-steps.ts';
import { conditionTask } from './prepare-conditions.ts';

/** A condition, and whether this call has made it. */
export interface MadeCondition {
  readonly segment: ConditionSegment;
  readonly isNew: boolean;
}

/**
 * Creates the condition of a rule, in one transaction with its place in the list of conditions and with the task that
 * prepares it. The task is first due after `waitMs`, because no earlier look could do anything. A rule that has a condition
 * already keeps it, so a repeated request makes no second one. `segment_limit` when the property has as many conditions, or
 * segments, as it may have.
 */
export const addCondition = async (
  { table, pause }: ReferenceDeps,
  property: number,
  draft: ConditionDraft,
  waitMs = 0,
): Promise<Result<MadeCondition, 'segment_limit'>> => {
  let id: number | undefined;
  const now = draft.created;
  const rule = ruleOf(draft.where);
  const retry = { pause, what: 'segments: a new condition' };
  return retryOnConflict<Result<MadeCondition, 'segment_limit'>>(retry, async () => {
    const claim = await table.get(claimKey(property, conditionIdentity(draft.name, draft.where)));
    const known = claim && (await claimedCondition(table, property, claim));
    if (known) return done(ok({ segment: known, isNew: false }));
    const list = await readConditions(table, property);
    const counted = await quotaWrite(table, property, 'segment', 1);
    if (!counted || isFull(list)) return done(err('segment_limit'));
    id ??= await newSegmentId(table, property);
    const segment = conditionOf(id, draft);
    const refused = await table.transact([
      // A restore may have cut the transaction of a claim (docs/adr/0019), which then leads to nothing.
      claim ? claimMoved(claim, id) : claimWrite(property, segment),
      conditionWrite(property, id, draft),
      nameWrite(property, segment, 'insert'),
      conditionsWrite(property, list, withNew(list, id, rule)),
      counted,
      await taskWrite(table, conditionTask(property, now + waitMs)),
    ]);
    return refused.length === 0 ? done(ok({ segment, isNew: true })) : 'conflict';
  });
};

/** The condition that a claim leads to; undefined without one. */
const claimedCondition = async (
  table: Table,
  property: number,
  claim: StoredItem,
): Promise<ConditionSegment | undefined> => {
  const item = await table.get(keys.segment(property, claimedSegment(claim)));
  return isLive(item) ? parseCondition(item) : undefined;
};

const claimMoved = ({ pk, sk, w }: StoredItem, id: number): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { segment: id },
  expect: { w },
});

/** The write of the item by which the name of a condition finds it. */
export const nameWrite = (property: number, { id, name }: Segment, kind: 'insert' | 'delete'): Write => {
  const key = nameKey(property, name, id);
  return kind === 'insert' ? { kind, key, set: { segment: id } } : { kind, key, expect: { segment: id } };
};

/** A condition and its item as read. */
interface SeenCondition {
  readonly item: StoredItem;
  readonly segment: ConditionSegment;
}

/** The condition of an id, ready or not, read from the table. */
export const readCondition = async (
  table: Table,
  property: number,
  id: number,
): Promise<Result<SeenCondition, CustomRefusal>> => {
  const item = await table.get(keys.segment(property, id));
  const [segment] = item ? await visibleSegments(table, property, [item]) : [];
  if (!item || !segment) return err('not_found');
  return isCondition(segment) ? ok({ item, segment }) : err({ kept: segment });
};

/** Gives a condition another name: everything that names it by its id goes on. */
export const renameCondition = async (
  { table, pause }: ReferenceDeps,
  property: number,
  id: number,
  name: string,
): Promise<Result<ConditionSegment, CustomRefusal>> => {
  const retry = { pause, what: 'segments: a condition' };
  return retryOnConflict<Result<ConditionSegment, CustomRefusal>>(retry, async () => {
    const seen = await readCondition(table, property, id);
    if (!seen.ok) return done(seen);
    const { item, segment } = seen.value;
    const renamed = { ...segment, name };
    if (name === segment.name) return done(ok(segment));
    const update: Write = {
      kind: 'update',
      key: keys.segment(property, id),
      set: { name },
      expect: { w: item.w },
    };
    // Two names that fold to one have one item.
    const isSame = nameKey(property, name, id).pk === nameKey(property, segment.name, id).pk;
    const names = isSame
      ? []
      : [nameWrite(property, segment, 'delete'), nameWrite(property, renamed, 'insert')];
    const refused = await table.transact([update, ...names]);
    return refused.length === 0 ? done(ok(renamed)) : 'conflict';
  });
};

/**
 * Deletes a condition that no referrer names, whoever is in it, also one that is not ready. Writers stop announcing it at
 * once, and its task removes its chunks when none of them can write any more.
 */
export const removeCondition = async (
  deps: DeleteDeps,
  property: number,
  id: number,
  now: number,
): Promise<Result<undefined, CustomRefusal | InUse>> => {
  const { table } = deps;
  const deleted = await deleteUnreferenced(
    deps,
    property,
    { kind: 'segment', id },
    {
      now,
      read: () => readCondition(table, property, id),
      writes: async ({ segment }) => {
        const list = await readConditions(table, property);
        const counted = await quotaWrite(table, property, 'segment', -1);
        return [
          { kind: 'delete', key: claimKey(property, segment), expect: { segment: id } },
          nameWrite(property, segment, 'delete'),
          conditionsWrite(property, list, withDropped(list, property, id)),
          ...(counted ? [counted] : []),
          await taskWrite(table, conditionTask(property, now)),
        ];
      },
    },
  );
  return deleted.ok ? ok(undefined) : deleted;
};
