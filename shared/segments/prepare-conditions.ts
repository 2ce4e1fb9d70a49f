/**
 * Preparation of conditions: brings all members of new conditions into the index, and removes what is left of deleted ones.
 * The task of a property looks after all of its conditions, so that those which are due share one walk over the people.
 */
import * as v from 'valibot';
import {
  conditionsWrite,
  isSeen,
  readConditions,
  slotsFor,
  withoutDropped,
  withReady,
  withSeen,
  type ConditionList,
  type DatedCondition,
} from '../catalogue/conditions/condition-list.ts';
import { dayCalendarId, dayCalendarIds, isHiddenId } from '../catalogue/calendars.ts';
import { propagationMs } from '../catalogue/look.ts';
import { limits } from '../config/limits.ts';
import { removeChunks } from '../membership/chunk.ts';
import { wantSizes } from '../membership/sizes/measure-soon.ts';
import { requestDrains, type DrainQueue } from '../membership/drain.ts';
import type { Journal, JournalGroup, JournalItem } from '../membership/journal.ts';
import { purgeDeleted } from '../references/delete-unreferenced.ts';
import { commitWrite } from '../references/lifecycle.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import type { Table } from '../table/table.ts';
import type { Look, Looked, TaskKind } from '../tasks/reconcile.ts';
import { findTask, type NewTask, type Task } from '../tasks/tasks.ts';
import { blockAt, blocksOf, type FillRange } from './fill-blocks.ts';

/** `marginMs` covers clock skew and writes in flight. */
export interface PrepareDeps extends DrainQueue {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly journal: Pick<Journal, 'announce' | 'left' | 'groups'>;
  readonly log: Log;
  readonly marginMs: number;
}

/** The task that looks after the conditions of a property. It begins at once, and waits as long as it must. */
export const conditionTask = (property: number, now: number): NewTask => ({
  kind: 'condition',
  property,
  ids: [],
  due: now,
});

const journalItem = v.object({ pk: v.string(), sk: v.string(), group: v.number() });

/** A walk over the people of a property, for the conditions that were due when it began. */
const fillState = v.object({
  ids: v.array(v.number()),
  /** The slots of the calendars that these need, and that were not ready: the walk fills them, too. */
  slots: v.optional(v.array(v.number()), []),
  /** The people below this ordinal. Whoever gets a later one is announced by the writer of the profile. */
  end: v.number(),
  /** The number of blocks that were announced. */
  next: v.number(),
  /** Announced blocks that the drainer had not indexed yet. */
  open: v.array(journalItem),
});
type Fill = v.InferOutput<typeof fillState>;

/** The conditions, and the hidden segments of the calendars in these slots. */
const segmentsOf = (property: number, { ids, slots }: Pick<Fill, 'ids' | 'slots'>): readonly number[] => [
  ...ids,
  ...slots.flatMap((slot) => dayCalendarIds(dayCalendarId(property, slot))),
];

const rangeOf = (property: number, fill: Fill): FillRange => ({
  ids: segmentsOf(property, fill),
  end: fill.end,
});

const taskState = v.object({ fill: v.optional(v.nullable(fillState), null) });

/** From a look that could not do all that is due to the next one. */
const PAUSE_SECONDS = 60;

/** The tasks of conditions. */
export const conditionTasks = (deps: PrepareDeps) =>
  ({
    condition: {
      pauseSeconds: PAUSE_SECONDS,
      isAwaited: true,
      look: (task, look) => lookAfter(deps, task, look),
    },
  }) satisfies Record<string, TaskKind>;

/** The share of the preparation that the wait counts for: it takes most of the time, unless there are millions of people. */
const WAIT_SHARE = 0.9;

/** How far a condition that is not ready is prepared at a time (epoch milliseconds), from 0 to 1: first the wait, then the walk. */
export const progressOf = async (
  table: Pick<Table, 'get'>,
  property: number,
  condition: number,
  now: number,
): Promise<number> => {
  const task = await findTask(table, conditionTask(property, 0));
  if (!task) return 0;
  const { fill } = v.parse(taskState, task.state);
  if (fill?.ids.includes(condition)) {
    const blocks = blocksOf(rangeOf(property, fill));
    const filled = blocks === 0 ? 1 : Math.max(0, fill.next - fill.open.length) / blocks;
    return WAIT_SHARE + (1 - WAIT_SHARE) * filled;
  }
  const { preparing } = await readConditions(table, property);
  const since = preparing.find(({ id }) => id === condition)?.since ?? now;
  const waited = (now - since) / Math.max(task.due - since, 1);
  return WAIT_SHARE * Math.min(Math.max(waited, 0), 1);
};

/**
 * A deleted condition is removed this much later than all writes know that it is: an indexer that began before may have read
 * that it has no chunk yet, stand still, and create one.
 */
const INDEXER_MS = limits.segments.indexerSeconds * 1_000;

/** Does what is due: at most one walk at a time, while there is time. */
const lookAfter = async (deps: PrepareDeps, { property, state }: Task, look: Look): Promise<Looked> => {
  const { table, clock, marginMs } = deps;
  const wait = propagationMs(marginMs);
  let { fill } = v.parse(taskState, state);
  for (;;) {
    const list = await readSeen(deps, property);
    tellWaiting(deps, property, list);
    const dueOf = ({ since }: DatedCondition): number => (since ?? clock()) + wait;
    const goneAt = (one: DatedCondition): number => dueOf(one) + INDEXER_MS;
    const now = clock();
    const goes = list.dropped.filter((one) => goneAt(one) <= now);
    // A removal that has to wait for the journal holds up no preparation.
    const removed = await removeDropped(deps, property, goes);
    const due = list.preparing.filter((one) => dueOf(one) <= now);
    fill ??= await beginFill(table, property, list, due);
    if (!fill) {
      const left = [
        ...list.preparing.map(dueOf),
        ...list.dropped.filter((one) => !goes.includes(one)).map(goneAt),
        // It waits for the journal.
        ...(removed ? [] : [now + PAUSE_SECONDS * 1_000]),
      ];
      return left.length === 0 ? 'done' : { due: Math.max(clock(), Math.min(...left)) };
    }
    const filled = await goOn(deps, property, { fill, wanted: stillWanted(property, list, fill) }, look);
    if (filled !== 'filled') return filled === 'lost' ? {} : { due: clock() };
    await makeReady(deps, property, fill);
    fill = null;
    if (!(await look.save({ fill }))) return {};
  }
};

/**
 * The list, in which each condition has the time at which somebody has read it there: it was stored before. Whoever has just
 * stored a condition reads it first.
 */
export const readSeen = (
  { table, clock, pause }: Pick<PrepareDeps, 'table' | 'clock' | 'pause'>,
  property: number,
): Promise<ConditionList> =>
  retryOnConflict<ConditionList>({ pause, what: LIST }, async () => {
    const list = await readConditions(table, property);
    if (isSeen(list)) return done(list);
    const seen = withSeen(list, clock());
    const outcome = await table.write(conditionsWrite(property, list, seen));
    return outcome === 'refused' ? 'conflict' : done(seen);
  });

/** Tells how many conditions wait, and how long the oldest has waited: an alarm rings when that is far too long. */
const tellWaiting = ({ log, clock }: PrepareDeps, property: number, list: ConditionList): void => {
  const waiting = [...list.preparing, ...list.dropped].map(({ since }) => since ?? clock());
  if (waiting.length === 0) return;
  const seconds = Math.round((clock() - Math.min(...waiting)) / 1_000);
  log('condition.waiting', { property, count: waiting.length, seconds });
};

/** What waits for the list, in the error of a contention that does not end. */
const LIST = 'segments: the conditions';

/**
 * The walk for these conditions; `null` without any. By now every write of a profile knows them, and their calendars, which
 * were listed no later.
 */
const beginFill = async (
  table: Table,
  property: number,
  list: ConditionList,
  due: readonly DatedCondition[],
): Promise<Fill | null> => {
  if (due.length === 0) return null;
  const ids = due.map(({ id }) => id);
  const end = await readCounter(table, keys.counter(property, 'ordinal'));
  return { ids, slots: [...slotsFor(list, ids)], end, next: 0, open: [] };
};

/** The segments that a walk is still for: all but the conditions that were deleted since it began; none when all were. */
const stillWanted = (
  property: number,
  { preparing }: ConditionList,
  { ids, slots }: Fill,
): ReadonlySet<number> => {
  const left = ids.filter((id) => preparing.some((one) => one.id === id));
  return new Set(left.length === 0 ? [] : segmentsOf(property, { ids: left, slots }));
};

/**
 * Announces the people block by block, and waits for the drainer: so an import that ends meanwhile waits for few blocks.
 * Stores how far it is whenever that has changed. `filled` once all are indexed; `late` when the time is over, `lost` when
 * another look has the task.
 */
const goOn = async (
  deps: PrepareDeps,
  property: number,
  { fill, wanted }: { readonly fill: Fill; readonly wanted: ReadonlySet<number> },
  { mayGoOn, save }: Look,
): Promise<'filled' | 'late' | 'lost'> => {
  const { journal, ids, pause } = deps;
  const range = rangeOf(property, fill);
  const blocks = wanted.size === 0 ? 0 : blocksOf(range);
  let saved: Pick<Fill, 'next' | 'open'> = fill;
  let { next } = fill;
  let open = await journal.left(fill.open);
  // The look that announced these may have died before it asked for their drains.
  await requestDrains(deps, groupsOf(property, open));
  let idle = 0;
  while (next < blocks || open.length > 0) {
    for (; open.length < limits.segments.fillBlocksOpen && next < blocks; next += 1) {
      const block = blockAt(range, next);
      const segments = block.segments.filter((id) => wanted.has(id));
      const added = await journal.announce(property, `fill-${ids.uuid()}`, [{ ...block, segments }]);
      await requestDrains(deps, groupsOf(property, added));
      open = [...open, ...added];
    }
    const isNews = next !== saved.next || open.length !== saved.open.length;
    if (isNews) {
      saved = { next, open: open.map(({ pk, sk, group }) => ({ pk, sk, group })) };
      if (!(await save({ fill: { ...fill, ...saved } }))) return 'lost';
    }
    if (!mayGoOn()) return 'late';
    idle = isNews ? 0 : idle + 1;
    await pause(Math.min(POLL.first + idle, POLL.longest));
    open = await journal.left(open);
  }
  return 'filled';
};

const groupsOf = (property: number, items: readonly JournalItem[]): readonly JournalGroup[] =>
  [...new Set(items.map(({ group }) => group))].map((group) => ({ property, group }));

/** The pauses between two looks at the journal, as attempt numbers of the pause: some 200 ms on average, then 400 ms. */
const POLL = { first: 4, longest: 5 };

/** Makes conditions visible whose members are all in the index. */
const makeReady = async (deps: PrepareDeps, property: number, fill: Fill): Promise<void> => {
  // Refused where the condition is ready already, or was deleted.
  await deps.table.writeMany(fill.ids.map((id) => commitWrite(keys.segment(property, id))));
  await changeList(deps, property, (list) => withReady(list, fill));
  await wantSizes(deps.table, property, deps.clock());
};

/**
 * Removes deleted conditions. By now no write names them, and once the entries that were opened before are indexed, nothing
 * does. Returns whether all are gone.
 */
const removeDropped = async (
  deps: PrepareDeps,
  property: number,
  dropped: readonly DatedCondition[],
): Promise<boolean> => {
  if (dropped.length === 0) return true;
  const { table, journal, clock, marginMs } = deps;
  // Entries that were opened before the last of them was due may still name them.
  const openedBy = Math.max(...dropped.map(({ since }) => since ?? clock())) + propagationMs(marginMs);
  const groups = await journal.groups(property, openedBy);
  if (groups.length > 0) {
    await requestDrains(deps, groups);
    return false;
  }
  for (const { id } of dropped) {
    const isCalendar = isHiddenId(property, id);
    for (const one of isCalendar ? dayCalendarIds(id) : [id]) await removeChunks(table, property, one);
    if (!isCalendar) await purgeDeleted(table, property, { kind: 'segment', id });
    await changeList(deps, property, (list) => withoutDropped(list, id));
  }
  return true;
};

const changeList = (
  { table, pause }: PrepareDeps,
  property: number,
  change: (list: ConditionList) => ConditionList,
): Promise<void> =>
  retryOnConflict({ pause, what: LIST }, async () => {
    const seen = await readConditions(table, property);
    const outcome = await table.write(conditionsWrite(property, seen, change(seen)));
    return outcome === 'refused' ? 'conflict' : done(undefined);
  });
