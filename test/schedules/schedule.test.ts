import { describe, expect, it } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { awsExpressions } from '../../shared/schedules/aws-expressions.ts';
import { scheduleFaults, nextRun, timetableOf } from '../../shared/schedules/timetable.ts';
import { cronLineOf, scheduleSchema, type Schedule } from '../../shared/schedules/schedule.ts';

/** A Saturday. */
const now = Date.parse('2026-11-21T12:00:00Z');

describe('defaults of omitted schedule fields', () => {
  it.each<[Schedule, string]>([
    [{ minute: '5' }, '5 * * * *'],
    [{ hour: '3' }, '0 3 * * *'],
    [{ hour: '*' }, '0 * * * *'],
    [{ day_of_month: '15' }, '0 0 15 * *'],
    [{ day_of_week: 'mon' }, '0 0 * * mon'],
    [{ day_of_month: '1', day_of_week: '1' }, '0 0 1 * 1'],
    [{ month: '6' }, '0 0 1 6 *'],
    [{ month: '6', minute: '30' }, '30 * * 6 *'],
    [{ month: '6', day_of_week: '1' }, '0 0 * 6 1'],
  ])('the defaults complete %j to %s', (schedule, line) => {
    const { minute, hour, day_of_month, month, day_of_week } = cronLineOf(schedule);
    expect([minute, hour, day_of_month, month, day_of_week].join(' ')).toBe(line);
  });
});

describe('the AWS form of a schedule', () => {
  it.each<[Schedule, readonly string[]]>([
    [{ minute: '*/15' }, ['cron(0,15,30,45 * * * ? *)']],
    [{ day_of_month: '*' }, ['cron(0 0 * * ? *)']],
    [{ day_of_week: '7' }, ['cron(0 0 ? * 1 *)']],
    [{ day_of_week: '0' }, ['cron(0 0 ? * 1 *)']],
    [{ day_of_week: 'FRI-SUN' }, ['cron(0 0 ? * 1,6,7 *)']],
    [{ day_of_month: '1,15', day_of_week: 'Mon' }, ['cron(0 0 1,15 * ? *)', 'cron(0 0 ? * 2 *)']],
    [{ hour: '9', once: true }, ['at(2026-11-22T09:00:00)']],
    [{ minute: '*', once: true }, ['at(2026-11-21T12:01:00)']],
  ])('the AWS form of %j is %j', (schedule, expressions) => {
    expect(awsExpressions(schedule, now)).toEqual(
      expressions.map((expression) => ({ expression, timezone: 'UTC' })),
    );
  });
});

describe('a schedule with a time zone', () => {
  const timezone = 'Europe/Berlin';

  it('keeps a name that Intl lists, because Intl lists the name that it gives to a zone', () => {
    const aliases = Intl.supportedValuesOf('timeZone').filter(
      (name) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== name,
    );
    expect(aliases).toEqual([]);
  });

  it('has the same expressions at every moment of a day, which has milliseconds', () => {
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const moment = now + minute * 60_000 + 7_123;
      expect(awsExpressions({ hour: '3', timezone }, moment)).toEqual([
        { expression: 'cron(0 3 * * ? *)', timezone },
      ]);
      expect(awsExpressions({ hour: '2', minute: '30', timezone }, moment)).toEqual([
        { expression: 'cron(30 2 * * ? *)', timezone },
        { expression: 'cron(0 3 * * ? *)', timezone, catchesUp: true },
      ]);
    }
  });

  it('is sent to AWS under the name that every database of time zones has', () => {
    const expected = [{ expression: 'cron(0 3 * * ? *)', timezone }];
    expect(awsExpressions({ hour: '3', timezone }, now)).toEqual(expected);
    const [aliased] = awsExpressions({ hour: '3', timezone: 'US/Eastern' }, now);
    expect(aliased?.timezone).toBe('America/New_York');
    const once = awsExpressions({ hour: '3', once: true, timezone }, now);
    expect(once).toEqual([{ expression: 'at(2026-11-22T02:00:00)', timezone: 'UTC' }]);
  });

  it.each<[string, Schedule, string, readonly string[]]>([
    [
      'follows the clocks of its zone',
      { hour: '3', timezone },
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00:00.000Z', '2026-03-30T01:00:00.000Z'],
    ],
    [
      'runs at the first minute after a time that the clocks skip in spring',
      { hour: '2', minute: '30', timezone },
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'runs on a day whose midnight the clocks skip',
      { hour: '0', timezone: 'Africa/Cairo' },
      '2026-04-23T12:00:00Z',
      ['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    ],
    [
      'runs once after several times that the clocks skip',
      { hour: '0', minute: '0,30', timezone: 'Asia/Beirut' },
      '2026-03-28T21:45:00Z',
      ['2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
    ],
    [
      'runs once at a time that the clocks show twice in autumn',
      { hour: '2', minute: '30', timezone },
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'follows clocks that change by half an hour',
      { minute: '15', timezone: 'Australia/Lord_Howe' },
      '2026-10-03T14:45:00Z',
      ['2026-10-03T16:15:00.000Z', '2026-10-03T17:15:00.000Z'],
    ],
    [
      'has days of its zone, which begin on another day in UTC',
      { day_of_month: '1', timezone: 'Pacific/Auckland' },
      '2026-11-21T12:00:00Z',
      ['2026-11-30T11:00:00.000Z', '2026-12-31T11:00:00.000Z'],
    ],
  ])('%s', (_, schedule, after, runs) => {
    const first = nextRun(timetableOf(schedule), Date.parse(after)) ?? 0;
    const second = nextRun(timetableOf(schedule), first) ?? 0;
    expect([first, second].map((time) => new Date(time).toISOString())).toEqual(runs);
  });

  it.each(['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', ''])(
    'takes the zone %j',
    (zone) => {
      expect(check(scheduleSchema, { hour: '3', timezone: zone }).ok).toBe(true);
    },
  );

  it.each(['+01:00', 'europe/berlin', 'Mars/Olympus', 'Berlin', 'Europe/Berlin ', '../etc'])(
    'refuses the zone %j',
    (zone) => {
      expect(check(scheduleSchema, { hour: '3', timezone: zone })).toMatchObject({
        faults: [{ pointer: '/timezone', code: 'not_a_time_zone' }],
      });
    },
  );

  it('names no time by its zone alone', () => {
    expect(scheduleFaults({ timezone }, now)).toMatchObject([{ code: 'required' }]);
  });
});

describe('the next run of a schedule', () => {
  it.each<[Schedule, string]>([
    [{ minute: '0' }, '2026-11-21T13:00:00.000Z'],
    [{ day_of_month: '13', day_of_week: 'fri' }, '2026-11-27T00:00:00.000Z'],
    [{ day_of_month: '29', month: 'feb' }, '2028-02-29T00:00:00.000Z'],
    [{ day_of_month: '31' }, '2026-12-31T00:00:00.000Z'],
  ])('the next run of %j is %s', (schedule, expected) => {
    expect(new Date(nextRun(timetableOf(schedule), now) ?? 0).toISOString()).toBe(expected);
  });

  it('the next run on 29 February is eight years away around the year 2100', () => {
    const timetable = timetableOf({ day_of_month: '29', month: '2' });
    const next = nextRun(timetable, Date.parse('2096-02-29T00:00:00Z'));
    expect(new Date(next ?? 0).toISOString()).toBe('2104-02-29T00:00:00.000Z');
  });
});

describe('refused schedules', () => {
  it.each<[Schedule, string]>([
    [{}, 'required'],
    [{ once: true }, 'required'],
    [{ minute: '*' }, 'too_frequent'],
    [{ minute: '0,14' }, 'too_frequent'],
    [{ minute: '0,50' }, 'too_frequent'],
    [{ minute: '0,55', hour: '0,23' }, 'too_frequent'],
    [{ day_of_month: '30', month: '2' }, 'never_runs'],
    [{ day_of_month: '31', month: '4,6,9,11' }, 'never_runs'],
    [{ day_of_month: '31', month: '2', once: true }, 'never_runs'],
  ])('%j: %s', (schedule, code) => {
    expect(scheduleFaults(schedule, now)).toMatchObject([{ pointer: '/schedule', code }]);
  });

  it.each<Schedule>([
    { minute: '*/15' },
    { minute: '7,22,37,52' },
    { minute: '*', once: true },
    { minute: '0,55', hour: '0,23', day_of_month: '1' },
    { day_of_month: '29', month: '2' },
    { day_of_month: '30', month: '2', day_of_week: 'sun' },
  ])('but not %j', (schedule) => {
    expect(scheduleFaults(schedule, now)).toEqual([]);
  });

  it.each([
    ['minute', '60'],
    ['minute', '-1'],
    ['minute', '5-1'],
    ['minute', '*/0'],
    ['minute', '*/60'],
    ['minute', '10-20/11'],
    ['hour', '*/25'],
    ['hour', '*/24'],
    ['hour', '3/30'],
    ['day_of_month', '*/31'],
    ['day_of_week', '*/7'],
    ['month', '*/12'],
    ['month', '1,*/13'],
    ['minute', '1,'],
    ['minute', '1 2'],
    ['minute', '1.5'],
    ['minute', '0x1'],
    ['minute', 'mon'],
    ['minute', '１'],
    ['hour', '24'],
    ['day_of_month', '0'],
    ['day_of_month', '32'],
    ['day_of_month', 'L'],
    ['day_of_month', '?'],
    ['day_of_week', '8'],
    ['day_of_week', 'sat-fri'],
    ['day_of_week', '1#2'],
    ['day_of_week', 'constructor'],
    ['month', '13'],
    ['month', 'january'],
    ['month', 'jan-sun'],
    ['month', '@yearly'],
  ])('a schedule is refused for %s: %j', (name, text) => {
    expect(check(scheduleSchema, { [name]: text })).toMatchObject({
      faults: [{ pointer: `/${name}`, code: 'not_a_cron_field' }],
    });
  });

  it.each<[unknown, string]>([
    [{ minute: 5 }, 'wrong_type'],
    [{ minute: '15 ' }, 'not_a_cron_field'],
    [{ minute: '0,'.repeat(101) }, 'too_long'],
    [{ second: '5' }, 'unknown_field'],
    [{ hour: '1', once: 'yes' }, 'wrong_type'],
    [null, 'wrong_type'],
    ['0 0 * * *', 'wrong_type'],
  ])('of another shape: %j', (value, code) => {
    expect(check(scheduleSchema, value)).toMatchObject({ faults: [{ code }] });
  });
});
