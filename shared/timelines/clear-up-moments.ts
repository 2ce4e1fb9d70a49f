import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { keys, MAKING_PARTITIONS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseUnfinishedMoment, type UnfinishedMoment } from './timeline-items.ts';
import { completeMoment, discardMoment, forgetWork, removeMoment } from './moment-steps.ts';
import { readTimeline } from './read-items.ts';
import { lifecycleOf } from '../references/lifecycle.ts';

export interface ClearUpDeps {
  readonly table: Table;
  readonly clock: Clock;
}

const { abandonedPerCall, abandonedSeconds } = limits.timelines;

/**
 * Clears up unfinished moments whose makers have died: completes committed moments, and removes the items of all
 * others. One call handles a bounded number of moments and returns their number. Calls may overlap, and may be cut off
 * anywhere. An error in one moment does not stop the others; the first error is thrown at the end.
 */
export const clearUpMoments = async (deps: ClearUpDeps): Promise<number> => {
  const dead: UnfinishedMoment[] = [];
  for (let partition = 0; partition < MAKING_PARTITIONS && dead.length < abandonedPerCall; partition += 1) {
    const { items } = await deps.table.query(keys.makingPartition(partition), { limit: abandonedPerCall });
    const before = deps.clock() - abandonedSeconds * 1000;
    dead.push(...items.map(parseUnfinishedMoment).filter(({ since }) => since < before));
  }
  const failures = new Failures();
  for (const moment of dead) await failures.attempt(() => clearUpMoment(deps.table, moment));
  failures.throwFirst();
  return dead.length;
};

const clearUpMoment = async (table: Table, making: UnfinishedMoment): Promise<void> => {
  if (await settleCommitted(table, making)) return;
  if (await discardMoment(table, making)) return;
  // The moment is closed: it was committed meanwhile, or a restore has brought back a part of its transaction.
  if (!(await settleCommitted(table, making))) await removeMoment(table, making);
};

/**
 * Completes a moment if it is committed. Its timeline names it, or named it before: a timeline whose newest moment is older,
 * the ids of segments grow, has not. A deleted timeline leaves its moments as segments.
 */
const settleCommitted = async (table: Table, making: UnfinishedMoment): Promise<boolean> => {
  const { property, timeline: id, segment } = making;
  const timeline = await readTimeline(table, property, id);
  if (timeline?.latest.segment === segment) {
    await completeMoment(table, making, timeline.latest);
    return true;
  }
  if (timeline && timeline.latest.segment < segment) return false;
  const item = await table.get(keys.segment(property, segment));
  if (item === undefined || lifecycleOf(item) !== 'current') return false;
  await forgetWork(table, making);
  return true;
};
