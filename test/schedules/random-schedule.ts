import { cronFields, type CronFieldName, namesTime, type Schedule } from '../../shared/schedules/schedule.ts';
import { timetableOf, nextRun } from '../../shared/schedules/timetable.ts';
import type { RandomSource } from './random.ts';

const names: readonly CronFieldName[] = ['minute', 'hour', 'day_of_month', 'month', 'day_of_week'];

/** A schedule that runs: some fields, each a list of values, names, ranges and steps. */
export const randomSchedule = (random: RandomSource): Schedule => {
  for (;;) {
    const given = names.filter(() => random.below(2) === 0);
    const schedule: Schedule = Object.fromEntries(given.map((name) => [name, randomField(random, name)]));
    if (namesTime(schedule) && nextRun(timetableOf(schedule), 0) !== undefined) return schedule;
  }
};

/** The reference drops a `*` from a list instead of treating the list as `*`, so a `*` stands alone. */
const randomField = (random: RandomSource, name: CronFieldName): string => {
  const parts = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => randomPart(random, name));
  const rest = parts.filter((part) => !/^\*(\/1)?$/.test(part));
  return rest.length === 0 ? '*' : rest.join(',');
};

const randomPart = (random: RandomSource, name: CronFieldName): string => {
  const { least, most } = cronFields[name];
  // The reference reads 0-7 as 0-0.
  const value = (from: number): number =>
    from + random.below(most - from + (from === 0 && most === 7 ? 0 : 1));
  const from = value(least);
  const to = value(from);
  // A step that does not fit its range is refused. A week of steps ends on Saturday.
  const step = (span: number): number => 1 + random.below(Math.min(12, Math.max(1, span)));
  const whole = (name === 'day_of_week' ? 6 : most) - least;
  switch (random.below(7)) {
    case 0:
      return '*';
    case 1:
      return `*/${1 + random.below(whole)}`;
    case 2:
      return `${from}-${to}`;
    case 3:
      return `${from}-${to}/${step(to - from)}`;
    case 4:
      return `${from}/${step(whole)}`;
    default:
      return random.below(2) === 0 ? word(random, name, from) : String(from);
  }
};

const word = (random: RandomSource, name: CronFieldName, value: number): string => {
  const written = cronFields[name].names[value - cronFields[name].least] ?? String(value);
  return random.below(2) === 0 ? written.toUpperCase() : written;
};
