import * as v from 'valibot';
import type { BodyRule } from '../http/body-rule.ts';
import { scheduleFaults } from '../schedules/timetable.ts';
import { timelineBody } from './schemas.ts';

const { schedule } = timelineBody.entries;
const scheduled = v.object({ schedule });

/** The faults of the schedule in a body of which other parts are at fault. */
export const scheduleRule: BodyRule = (sent, now) => {
  const read = v.safeParse(scheduled, sent);
  return read.success && read.output.schedule !== null ? scheduleFaults(read.output.schedule, now) : [];
};
