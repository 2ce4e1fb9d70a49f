import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { keys, MAKING_PARTITIONS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseUnfinishedMoment, type UnfinishedMoment } from './timeline-items.ts';
import { discardMoment, isCommitted, finalizeMoment } from './moment-steps.ts';
import { readMoments, readTimeline } from './read-items.ts';
import { tombstoneWrite } from '../references/lifecycle.ts';

/** What clearing up needs. */
export interface ClearUpDeps {
  readonly table: Table;
  readonly clock: Clock;
}

const { abandonedPerCall, abandonedSeconds } = limits.timelines;

/**
 * Clears up after moments whose makers have died: one that has come is settled, and what is left of another is removed. Takes
 * a bounded number; returns how many. May run twice at once, and be cut off anywhere. When one cannot be cleared up, the
 * others are, and the first failure is thrown at the end.
 */
export const clearUpMoments = async (deps: ClearUpDeps): Promise<number> => {
  const dead: UnfinishedMoment[] = [];
  for (let partition = 0; partition < MAKING_PARTITIONS && dead.length < abandonedPerCall; partition += 1) {
    const { items } = await deps.table.query(keys.makingPartition(partition), { limit: abandonedPerCall });
    const before = deps.clock() - abandonedSeconds * 1000;
    dead.push(...items.map(parseUnfinishedMoment).filter(({ since }) => since < before));
  }
  const failures = new Failures();
  for (const one of dead) await failures.attempt(() => clearUpMoment(deps.table, one));
  failures.throwFirst();
  return dead.length;
};

const clearUpMoment = async (table: Table, making: UnfinishedMoment): Promise<void> => {
  const { property, timeline: id, segment } = making;
  await revokeLease(table, making);
  const timeline = await readTimeline(table, property, id);
  const [moment] = timeline ? await readMoments(table, property, timeline, [segment]) : [];
  if (moment) await finalizeMoment(table, { property, timeline: id }, moment);
  // A timeline that was deleted names no moments. Its deletion settled those that had come, and they stay.
  else if (!(await isCommitted(table, making))) await discardMoment(table, making);
};

/**
 * Takes from a maker that is not dead after all what its deciding write needs: the lease, or, for a first moment, the place of
 * the timeline. Refused where the moment has come, or somebody else has stopped that maker.
 */
const revokeLease = async (
  table: Table,
  { property, timeline, segment }: UnfinishedMoment,
): Promise<void> => {
  const key = keys.timeline(property, timeline);
  const isPlaceTaken = (await table.get(key)) !== undefined;
  const set = { lease_segment: null, lease_until: 0 };
  await table.write(
    isPlaceTaken ? { kind: 'update', key, set, expect: { lease_segment: segment } } : tombstoneWrite(key),
  );
};
