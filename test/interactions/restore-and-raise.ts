import {
  listCounters,
  planRaise,
  raiseCounters,
  type CounterDeps,
} from '../../shared/operator/raise-counters.ts';
import { MemoryTable } from '../support/memory-table.ts';

/** Restores a table to a time, and raises its counters above those that it had before. */
export const restoreAndRaise = async (
  table: MemoryTable,
  restore: () => void,
  restored: string,
): Promise<void> => {
  const deps = {
    ...{ table, credentials: new MemoryTable(), pause: () => Promise.resolve() },
    clock: () => Date.parse(restored),
  };
  const earlier = await countersIn(deps);
  restore();
  await raiseCounters(deps, { restored, ...planRaise(await countersIn(deps), restored, earlier) });
};

const countersIn = async (deps: CounterDeps) => {
  const listed = await listCounters(deps, {});
  if (!listed.ok) throw new Error('the counters are not listed');
  return listed.value;
};
