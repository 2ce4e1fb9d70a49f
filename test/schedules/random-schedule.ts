import { cronFields, type CronFieldName } from '../../shared/schedules/cron-field.ts';
import { namesTime, type Schedule } from '../../shared/schedules/schedule.ts';
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

/** The reference drops a `*` from a list instead of letting it stand for all: it is written alone. */
const randomField = (random: RandomSource, name: CronFieldName): string => {
  const parts = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => randomPart(random, name));
  const rest = parts.filter((part) => !/^\*(\/1)?$/.test(part));
  return rest.length === 0 ? '*' : rest.join(',');
};

const randomPart = (random: RandomSource, name: CronFieldName): string => {
  const { least, most } = cronFields[name];
  // The reference takes 0-7 for 0-0.
  const value = (from: number): number =>
    from + random.below(most - from + (from === 0 && most === 7 ? 0 : 1));
  const from = value(least);
  switch (random.below(7)) {
    case 0:
      return '*';
    case 1:
      return `*/${1 + random.below(most)}`;
    case 2:
      return `${from}-${value(from)}`;
    case 3:
      return `${from}-${value(from)}/${1 + random.below(12)}`;
    case 4:
      return `${from}/${1 + random.below(12)}`;
    default:
      return random.below(2) === 0 ? word(random, name, from) : String(from);
  }
};

const word = (random: RandomSource, name: CronFieldName, value: number): string => {
  const written = cronFields[name].names[value - cronFields[name].least] ?? String(value);
  return random.below(2) === 0 ? written.toUpperCase() : written;
};
