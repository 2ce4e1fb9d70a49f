/** Item schedules: reads from a scanned item what has schedules, for the deletion of a property. */
import { exportSchedules } from '../exports/runs/schedule-runs.ts';
import type { Scheduled } from '../schedules/client-schedules.ts';
import type { ScannedItem } from '../table/table-scan.ts';
import { timelineSchedules } from '../timelines/timeline-schedule.ts';

/** The thing that has schedules, or had some, according to an item: an export or a timeline, or a task that looks after it. */
export const scheduledBy = (property: number, { pk, sk, revision }: ScannedItem): Scheduled | undefined => {
  const [, kind, id, noted = revision] =
    /^P#\d+#(EXPORT|TIMELINE)S#(\d+)$/.exec(`${pk}#${sk}`) ??
    /^TASKS#\d+#(export|timeline)-schedule#\d+#(\d+)(?:#(\d+))?$/.exec(`${pk}#${sk}`) ??
    // The list of release 0.2.0.
    /^(EXPORT)-OUTBOX#\d+#\d+#(\d+)#SCHEDULE#(\d+)$/.exec(`${pk}#${sk}`) ??
    [];
  if (kind?.toLowerCase() === 'timeline') return timelineSchedules({ property, timeline: Number(id) });
  return kind === undefined || noted === undefined
    ? undefined
    : exportSchedules({ property, export: Number(id), revision: Number(noted) });
};
