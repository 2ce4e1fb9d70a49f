/** Timeline schedule: the EventBridge schedules of a timeline, and the task that keeps them in step with it. */
import * as v from 'valibot';
import { scheduleKind, type KeepDeps, type Scheduled } from '../schedules/client-schedules.ts';
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

/** The tasks of schedules of timelines: the schedules are there while their timeline is. */
export const scheduleTasks = (deps: KeepDeps & { readonly table: Table }) =>
  ({
    'timeline-schedule': scheduleKind(deps, async ({ property, ids: of }) => {
      const [timeline] = v.parse(ids, of);
      const found = await readTimeline(deps.table, property, timeline);
      const toCome = found?.schedule ? { schedule: found.schedule, after: found.created } : undefined;
      return { scheduled: timelineSchedules({ property, timeline }), toCome };
    }),
  }) satisfies Record<string, TaskKind>;
