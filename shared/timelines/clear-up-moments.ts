import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { keys, MAKING_PARTITIONS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseUnfinishedMoment, type UnfinishedMoment } from './timeline-items.ts';
import { discardMoment, isCommitted, finalizeMoment } from './moment-steps.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { tombstoneWrite } from '../references/lifecycle.ts';

export interface ClearUpDeps {
  readonly table: Table;
  readonly clock: Clock;
}

const { abandonedPerCall, abandonedSeconds } = limits.timelines;

/**
 * Clears up unfinished moments whose makers have died: finalizes committed moments, and removes the items of all
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
  const { property, timeline: id, segment } = making;
  await revokeLease(table, making);
  const timeline = await readTimeline(table, property, id);
  const [moment] = timeline ? await readMoments(table, property, timeline, [segment]) : [];
  if (moment) await finalizeMoment(table, { property, timeline: id }, moment);
  // A deleted timeline names no moments. Its deletion finalized the committed moments, which stay.
  else if (!(await isCommitted(table, making))) await discardMoment(table, making);
};

/**
 * Fences a maker that may still be alive: removes the lease that its deciding write needs, or, for the first moment,
 * occupies the id of the timeline. Refused when the moment is committed, and when another writer has fenced the maker.
 */
const revokeLease = async (
  table: Table,
  { property, timeline, segment }: UnfinishedMoment,
): Promise<void> => {
  const key = keys.timeline(property, timeline);
  const isOccupied = (await table.get(key)) !== undefined;
  const set = { lease_segment: null, lease_until: 0 };
  await table.write(
    isOccupied ? { kind: 'update', key, set, expect: { lease_segment: segment } } : tombstoneWrite(key),
  );
};
