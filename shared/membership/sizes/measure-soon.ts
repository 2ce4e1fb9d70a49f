/** Sizes at the end of an import: the list counts it at once, or as soon as the property can afford another measurement. */
import { limits } from '../../config/limits.ts';
import { errorFacts, type Log } from '../../runtime/log.ts';
import { forSeconds } from '../../runtime/time-budget.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { measureSizes, type SizeDeps } from './measure.ts';
import { isRested, readState } from './size-items.ts';

export interface MeasureSoonDeps extends SizeDeps {
  readonly log: Log;
}

/** An interrupted measurement of an earlier time, and the one after it. */
const MEASUREMENTS = 2;

/**
 * Measures the sizes of a property whose index has just taken in the last change of an import or an undo, so that the
 * list by size counts all of it. A property that was measured lately, or whose measurement takes long, is noted instead:
 * `measureAllSizes` takes it when it is due, once for all that ended meanwhile. A failure is only logged: an import must
 * not wait for its counts, and the round over all properties meets the same failure and reports it.
 */
export const measureSoon = async (deps: MeasureSoonDeps, property: number): Promise<void> => {
  try {
    await measureOrNote(deps, property);
  } catch (error) {
    deps.log('sizes.postponed', { property, error: errorFacts(error) });
  }
};

const measureOrNote = async (deps: SizeDeps, property: number): Promise<void> => {
  const wanted = deps.clock();
  const hasTime = forSeconds(deps.clock, limits.sizes.soonSeconds);
  const read = async () => {
    const state = await readState(deps.table, property);
    return { state, isCounted: (state?.as_of ?? 0) >= wanted };
  };
  let seen = await read();
  for (let times = 0; times < MEASUREMENTS && !seen.isCounted; times += 1) {
    if (seen.state && !isRested(seen.state, deps.clock())) break;
    if ((await measureSizes(deps, property, hasTime)) !== 'done') break;
    seen = await read();
  }
  if (seen.isCounted) return;
  await wantSizes(deps.table, property, wanted);
};

/**
 * Notes that the sizes of a property are wanted as they are at a time (epoch milliseconds), or later. Without a condition: a
 * measurement under way is refused at most once by it, and the next call goes on with that one.
 */
export const wantSizes = async (
  table: Pick<Table, 'write'>,
  property: number,
  wanted: number,
): Promise<void> => {
  await table.write({ kind: 'update', key: keys.sizes(property), set: { wanted }, expect: {} });
};
