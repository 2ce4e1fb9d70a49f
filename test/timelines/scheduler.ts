import * as v from 'valibot';
import { compileExpression, type Timetable } from '../../local/services/scheduler/expression.ts';
import type { Table } from '../../shared/table/table.ts';
import { reconcile } from '../../shared/tasks/reconcile.ts';
import {
  addScheduledMoment,
  scheduleTasks,
  type ScheduledDeps,
} from '../../shared/timelines/timeline-schedule.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { memorySchedules } from '../support/memory-schedules.ts';

const MINUTE = 60_000;

const message = v.object({
  property: v.number(),
  timeline: v.number(),
  time: v.string(),
  catches_up: v.boolean(),
});
type Message = v.InferOutput<typeof message>;

interface Surroundings {
  readonly clock: { now: number };
  /** The ports of the timelines, of a process of its own each time. */
  readonly deps: () => Omit<ScheduledDeps, 'schedules'> & { readonly table: Table };
  /** Called ahead of each operation on the schedules and on the queue. */
  readonly before?: () => void;
}

/** What schedules timelines: EventBridge Scheduler, the queue of runs, and the look at the tasks each minute. */
export const timelineScheduler = ({ clock, deps, before = () => undefined }: Surroundings) => {
  const schedules = memorySchedules(before);
  const runs = new MemoryQueue(before);
  /** When each schedule sends next. */
  const next = new Map<string, number | undefined>();
  const times = new Map<string, Timetable>();
  const waiting: Message[] = [];
  /** EventBridge Scheduler sends what is due since the last call. */
  const send = (): void => {
    for (const name of next.keys()) if (!schedules.made.has(name)) next.delete(name);
    for (const { name, expression, timezone, input, once } of [...schedules.made.values()]) {
      const after = times.get(name) ?? compileExpression(expression, timezone, clock.now);
      times.set(name, after);
      let time = next.has(name) ? next.get(name) : after(clock.now);
      for (; time !== undefined && time <= clock.now; time = after(time)) {
        const body = input.replace(schedules.scheduledTime, new Date(time).toISOString());
        waiting.push(v.parse(message, JSON.parse(body)));
        if (once) void schedules.remove(name);
      }
      next.set(name, time);
    }
  };
  const look = () =>
    reconcile({
      ...deps(),
      log: () => undefined,
      kinds: scheduleTasks({ ...deps(), schedules, runs }),
    });
  const run = (told: Message): Promise<void> => addScheduledMoment({ ...deps(), schedules }, told);
  /** The messages that wait are delivered; those that fail come again, and their number is returned. */
  const deliver = async (): Promise<number> => {
    waiting.push(...runs.takeBodies().map((body) => v.parse(message, body)));
    const failed: Message[] = [];
    for (const told of waiting.splice(0)) await run(told).catch(() => failed.push(told));
    waiting.push(...failed);
    return failed.length;
  };
  /** Lets time pass; the tasks are looked at once a minute, `offset` after it begins. */
  const pass = async (ms: number, offset = 7_000): Promise<void> => {
    const end = clock.now + ms;
    const first = Math.ceil((clock.now - offset) / MINUTE) * MINUTE + offset;
    for (let now = first; now <= end; now += MINUTE) {
      clock.now = now;
      send();
      await look();
      await deliver();
    }
    clock.now = end;
  };
  return { schedules, waiting, send, look, run, deliver, pass };
};
