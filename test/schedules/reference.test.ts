import { CronosExpression } from 'cronosjs';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../local/services/scheduler/expression.ts';
import { awsExpressions, type AwsExpression } from '../../shared/schedules/aws-expressions.ts';
import {
  scheduleFaults,
  hasRunAt,
  nextRun,
  numbersOf,
  shortestGap,
  timetableOf,
} from '../../shared/schedules/timetable.ts';
import { cronLineOf, type Schedule } from '../../shared/schedules/schedule.ts';
import { casesOf } from '../support/scale.ts';
import { randomSource, type RandomSource } from './random.ts';
import { randomSchedule } from './random-schedule.ts';

const SPECS = casesOf('SPECS', { full: 5_000, sample: 700 });
const RUNS = 2;
const start = Date.parse('2026-01-01T00:00:00Z');
const LONG = 4 * 365 * 86_400_000;

/** The line that the reference reads. Absent fields are filled in here, not by the code under test. */
const lineOf = (schedule: Schedule): string => {
  const { minute, hour, day_of_month, day_of_week, month } = schedule;
  const days = day_of_month !== undefined || day_of_week !== undefined;
  const belowHour = minute ?? '0';
  const belowDay = hour ?? (minute === undefined ? '0' : '*');
  const belowMonth = day_of_month ?? (days || hour !== undefined || minute !== undefined ? '*' : '1');
  return [belowHour, belowDay, belowMonth, month ?? '*', day_of_week ?? '*'].join(' ');
};

type Change = readonly [timezone: string, time: string];

/** Times about which the clocks of zones change. South of the equator the reference runs at the second of two equal times. */
const changes: readonly [Change, ...Change[]] = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Asia/Beirut', '2026-03-28T22:00Z'],
  ['Asia/Kolkata', '2026-11-01T18:30Z'],
];

const reference = (schedule: Schedule, after: number, runs = RUNS): readonly number[] => {
  const timezone = schedule.timezone ?? 'UTC';
  const line = lineOf(schedule);
  // A schedule that runs in every hour needs no run in place of one that clocks skip.
  const isHourly = numbersOf('hour', cronLineOf(schedule).hour).length === 24;
  const missingHour = isHourly ? 'skip' : 'insert';
  const parsed = CronosExpression.parse(line, { timezone, missingHour, skipRepeatedHour: true });
  return parsed.nextNDates(new Date(after), runs).map((time) => time.getTime());
};

const taken = (
  next: (after: number) => number | undefined,
  after: number,
): readonly (number | undefined)[] => {
  const times: (number | undefined)[] = [];
  for (let at: number | undefined = after; times.length < RUNS && at !== undefined;)
    times.push((at = next(at)));
  return times;
};

/** The runs of the expressions of a schedule together, each time once. An expression that catches up may trigger in vain. */
const awsNext = (schedule: Schedule, expressions: readonly AwsExpression[]) => {
  const timetable = timetableOf(schedule);
  const timetables = expressions.map(({ expression, timezone, catchesUp }) => {
    const next = compileExpression(expression, timezone, start);
    return (after: number): number | undefined => {
      let time = next(after);
      if (!catchesUp) return time;
      // The day on which the clocks change may never be a day of the schedule.
      const end = after + LONG;
      while (time !== undefined && time < end && !hasRunAt(timetable, time)) time = next(time);
      return time !== undefined && time < end ? time : undefined;
    };
  });
  return (after: number): number | undefined => {
    const times = timetables.map((next) => next(after)).filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };
};

const caseOf = (random: RandomSource): { schedule: Schedule; after: number } => ({
  schedule: randomSchedule(random),
  after: start + random.below(LONG / 1000) * 1000 + random.below(1000),
});

describe(`${SPECS} random schedules against a reference`, () => {
  it('a schedule runs when the reference and AWS would run it', () => {
    const random = randomSource(20261121);
    const differing: unknown[] = [];
    for (let index = 0; index < SPECS; index += 1) {
      const { schedule, after } = caseOf(random);
      const timetable = timetableOf(schedule);
      const expected = reference(schedule, after).join();
      const own = taken((at) => nextRun(timetable, at), after).join();
      const aws = taken(awsNext(schedule, awsExpressions({ ...schedule, once: false }, after)), after).join();
      const once = awsNext(schedule, awsExpressions({ ...schedule, once: true }, after))(after);
      const line = cronLineOf(schedule);
      if (own !== expected || aws !== expected || String(once) !== expected.split(',')[0])
        differing.push({ schedule, line, after, expected, own, aws, once });
    }
    expect(differing).toEqual([]);
  });

  it('a schedule keeps to its time zone as the reference and AWS do when clocks change', () => {
    const random = randomSource(20260329);
    const differing: unknown[] = [];
    for (let index = 0; index < SPECS / 10; index += 1) {
      const [timezone, change] = random.pick(changes);
      const schedule = { ...randomSchedule(random), timezone };
      const after = Date.parse(change) - random.below(4 * 3_600 * 1000);
      const expected = reference(schedule, after).join();
      const own = taken((at) => nextRun(timetableOf(schedule), at), after).join();
      const aws = taken(awsNext(schedule, awsExpressions({ ...schedule, once: false }, after)), after).join();
      const once = awsNext(schedule, awsExpressions({ ...schedule, once: true }, after))(after);
      if (own !== expected || aws !== expected || String(once) !== expected.split(',')[0])
        differing.push({
          schedule,
          line: lineOf(schedule),
          after: new Date(after).toISOString(),
          expected,
          own,
          aws,
          once,
        });
    }
    expect(differing.slice(0, 5)).toEqual([]);
  });

  it('a schedule is refused as too frequent when two runs of the reference are closer than 15 minutes', () => {
    const random = randomSource(15);
    for (let index = 0; index < SPECS / 100; index += 1) {
      const { schedule } = caseOf(random);
      const times = reference(schedule, start, 300);
      const gap = Math.min(...times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 60_000));
      // A list of 300 runs need not hold the two closest runs, but it holds no closer runs than those.
      if (gap < 24 * 60) expect(shortestGap(timetableOf(schedule))).toBeLessThanOrEqual(gap);
      const faults = scheduleFaults({ ...schedule, once: false }, start);
      if (gap < 15) expect(faults, JSON.stringify(schedule)).toMatchObject([{ code: 'too_frequent' }]);
      for (const { expression } of awsExpressions(schedule, start))
        expect(expression.length).toBeLessThan(256);
    }
  });
});
