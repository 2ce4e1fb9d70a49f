/** Timeline schedule: the EventBridge schedules of a timeline, and the task that keeps them in step with it. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { keepSchedules, type KeepDeps, type Scheduled } from '../schedules/client-schedules.ts';
import type { Table } from '../table/table.ts';
import type { TaskKind } from '../tasks/reconcile.ts';
import type { NewTask } from '../tasks/tasks.ts';
import { readTimeline } from './read-items.ts';

/** A timeline of a property. Its schedule never changes. */
export interface TimelineRef {
  readonly property: number;
  readonly timeline: number;
}

/** The schedules of a timeline. */
export const timelineSchedules = ({ property, timeline }: TimelineRef): Scheduled => ({
  name: `p${property}-timeline-${timeline}`,
  ref: { property, timeline },
});

/** The task that looks after the schedules of a timeline, and after its last run since a time (both in epoch ms). */
export const scheduleTask = (
  { property, timeline }: TimelineRef,
  { due, since }: { readonly due: number; readonly since: number },
): NewTask => ({ kind: 'timeline-schedule', property, ids: [timeline], due, state: { since } });

const ids = v.tuple([v.number()]);
const stateOfTask = v.object({ since: v.number() });

/** The tasks of schedules of timelines: the schedules are there while their timeline is. */
export const scheduleTasks = (deps: KeepDeps & { readonly table: Table }) =>
  ({
    'timeline-schedule': {
      pauseSeconds: limits.schedules.pauseSeconds,
      look: async ({ property, ids: of, state }) => {
        const [timeline] = v.parse(ids, of);
        const { since } = v.parse(stateOfTask, state);
        const found = await readTimeline(deps.table, property, timeline);
        const toCome = found?.schedule ? { schedule: found.schedule, after: found.created } : undefined;
        return keepSchedules(deps, timelineSchedules({ property, timeline }), toCome, since);
      },
    },
  }) satisfies Record<string, TaskKind>;
