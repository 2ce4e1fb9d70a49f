import type { NewSchedule, Schedules } from '../../shared/runtime/ports.ts';

/** Schedules in memory, by name, in the order made. `before` is called ahead of every operation. */
export interface MemorySchedules extends Schedules {
  readonly made: ReadonlyMap<string, NewSchedule>;
}

export const memorySchedules = (before: (operation: string) => void = () => undefined): MemorySchedules => {
  const made = new Map<string, NewSchedule>();
  return {
    made,
    scheduledTime: '<time>',
    create: (schedule) => {
      before('create');
      if (!made.has(schedule.name)) made.set(schedule.name, schedule);
      return Promise.resolve();
    },
    remove: (name) => {
      before('remove');
      made.delete(name);
      return Promise.resolve();
    },
  };
};
