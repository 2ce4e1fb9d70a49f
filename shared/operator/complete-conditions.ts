/**
 * Complete conditions: after a restore, a property may have only some items of the transaction that created or deleted a
 * condition (docs/adr/0019). The item of a condition decides whether it is there.
 */
import {
  conditionsWrite,
  readConditions,
  withDropped,
  withNew,
  type ConditionList,
} from '../catalogue/conditions/condition-list.ts';
import { parseCondition, type ConditionSegment } from '../catalogue/conditions/condition-items.ts';
import { ruleOf } from '../catalogue/conditions/rule.ts';
import { claimWrite } from '../catalogue/segment-items.ts';
import { isLive } from '../references/lifecycle.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { nameWrite } from '../segments/conditions.ts';
import { conditionTask } from '../segments/prepare-conditions.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { replaceTask } from '../tasks/tasks.ts';

interface CompleteDeps {
  readonly table: Table;
  readonly pause: Pause;
  readonly clock: Clock;
}

/**
 * Completes the conditions of a property, of which `items` are the items, deleted ones too. What is not ready is prepared from
 * the begin: the restore may have brought back the progress of a walk without its announcements. May be repeated.
 */
export const completeConditions = async (
  deps: CompleteDeps,
  property: number,
  items: readonly StoredItem[],
): Promise<void> => {
  const { table, pause } = deps;
  const conditions = items.filter(isLive).map(parseCondition);
  // Refused where they are there.
  await table.writeMany(
    conditions.flatMap((one) => [claimWrite(property, one), nameWrite(property, one, 'insert')]),
  );
  const list = await retryOnConflict<ConditionList>({ pause, what: 'operator: the conditions' }, async () => {
    const seen = await readConditions(table, property);
    const completed = completedList(seen, property, conditions);
    if (completed === seen) return done(seen);
    const outcome = await table.write(conditionsWrite(property, seen, completed));
    return outcome === 'refused' ? 'conflict' : done(completed);
  });
  if (list.preparing.length + list.dropped.length === 0) return;
  const due = deps.clock();
  await replaceTask(deps, conditionTask(property, due), () => ({ due, state: { fill: null } }));
};

/** The list with just these conditions. One that it does not have, or has as deleted, is prepared (again). */
const completedList = (
  seen: ConditionList,
  property: number,
  conditions: readonly ConditionSegment[],
): ConditionList => {
  let list = seen;
  for (const id of [...seen.ready, ...seen.preparing.map((one) => one.id)])
    if (!conditions.some((one) => one.id === id)) list = withDropped(list, property, id);
  for (const { id, condition } of conditions) {
    if (list.preparing.some((one) => one.id === id)) continue;
    const isReady = list.ready.includes(id);
    if (isReady && condition.ready) continue;
    const others = {
      ready: list.ready.filter((one) => one !== id),
      dropped: list.dropped.filter((one) => one.id !== id),
    };
    // A rule of a later release has no calendar that this one knows.
    const { where } = condition;
    list =
      isReady || !where
        ? { ...list, ...others, preparing: [...list.preparing, { id, since: null }] }
        : withNew({ ...list, ...others }, id, ruleOf(where));
  }
  return list;
};
