/** Clear up moments: the looks at moments whose makers may have died. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { lifecycleOf } from '../references/lifecycle.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TaskKind } from '../tasks/reconcile.ts';
import { completeMoment, discardMoment, removeMoment, type MomentRef } from './moment-steps.ts';
import { readTimeline } from './read-items.ts';

const ids = v.tuple([v.number(), v.number()]);

/** The tasks of moments: a committed moment is completed, and all items of another one are removed. */
export const momentTasks = (table: Table) =>
  ({
    moment: {
      pauseSeconds: limits.timelines.abandonedSeconds,
      look: async ({ property, ids: of }) => {
        const [timeline, segment] = v.parse(ids, of);
        await clearUpMoment(table, { property, timeline, segment });
        return 'done';
      },
    },
  }) satisfies Record<string, TaskKind>;

const clearUpMoment = async (table: Table, making: MomentRef): Promise<void> => {
  if (await settleCommitted(table, making)) return;
  if (await discardMoment(table, making)) return;
  // The moment is closed: it was committed meanwhile, or a restore has brought back a part of its transaction.
  if (!(await settleCommitted(table, making))) await removeMoment(table, making);
};

/**
 * Completes a moment if it is committed. Its timeline names it, or named it before: a timeline whose newest moment is older,
 * the ids of segments grow, has not. A deleted timeline leaves its moments as segments.
 */
const settleCommitted = async (table: Table, making: MomentRef): Promise<boolean> => {
  const { property, timeline: id, segment } = making;
  const timeline = await readTimeline(table, property, id);
  if (timeline?.latest.segment === segment) {
    await completeMoment(table, making, timeline.latest);
    return true;
  }
  if (timeline && timeline.latest.segment < segment) return false;
  const item = await table.get(keys.segment(property, segment));
  return item !== undefined && lifecycleOf(item) === 'current';
};
