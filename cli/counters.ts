/** `npm run admin -- counters raise`: reads all counters, plans what to raise, and raises a part at a time. */
import * as v from 'valibot';
import {
  listedCounters,
  PER_CALL,
  planRaise,
  type ListedCounters,
  type RaisePlan,
} from '../shared/operator/raise-counters.ts';
import { batchesOf } from '../shared/runtime/pool.ts';
import type { Payload } from './admin-commands.ts';
import { wholeList } from './admin-list.ts';
import type { AdminAnswer } from './admin-service.ts';

/** Asks the operator function. */
type Ask = (command: Readonly<Record<string, unknown>>) => Promise<AdminAnswer>;

const earlierFile = v.pipe(v.string(), v.parseJson(), listedCounters);

/**
 * Raises all counters after a restore. Answers the counters with their new values; with `dry_run` it raises nothing. It is
 * safe to run again, because a counter is never set back.
 */
export const raiseAll = async (payload: Payload, ask: Ask): Promise<AdminAnswer> => {
  const { restored, earlier, dry_run } = payload;
  const before = earlier === undefined ? undefined : v.safeParse(earlierFile, earlier);
  if (before && !before.success) return { ok: false, error: notCounters };
  const listed = await wholeList({ command: 'counters.list' }, ask);
  if (!listed.ok) return listed;
  const now: ListedCounters = v.parse(listedCounters, listed);
  const plan: RaisePlan = planRaise(now, String(restored), before?.output);
  const parts = dry_run === true ? [] : partsOf(plan);
  for (const part of parts) {
    const answer = await ask({ command: 'counters.raise', restored: String(restored), ...part });
    if (!answer.ok) return answer;
  }
  return {
    ok: true,
    [dry_run === true ? 'would_raise' : 'raised']: plan.service.length + plan.counters.length,
    ...plan,
  };
};

const notCounters = {
  message: 'The file of --earlier is not what "counters list --json" answers.',
  errors: [],
};

/** The plan in parts that one call takes. */
const partsOf = ({ service, counters }: RaisePlan): readonly RaisePlan[] => {
  const [first = [], ...others] = batchesOf(counters, PER_CALL);
  return [{ service, counters: first }, ...others.map((part) => ({ service: [], counters: part }))];
};
