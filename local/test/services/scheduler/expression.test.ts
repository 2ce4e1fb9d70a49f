import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../services/scheduler/expression.ts';

/** A Saturday. */
const start = Date.parse('2026-11-21T12:00:00Z');

describe('a schedule expression', () => {
  it.each([
    ['rate(1 minute)', '2026-11-21T12:01:00.000Z'],
    ['rate(5 minutes)', '2026-11-21T12:05:00.000Z'],
    ['rate(1 day)', '2026-11-22T12:00:00.000Z'],
    ['cron(15 3 * * ? *)', '2026-11-22T03:15:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-11-21T12:15:00.000Z'],
    ['cron(0 8 ? * 1 *)', '2026-11-22T08:00:00.000Z'],
    ['cron(0 8 ? * MON-FRI *)', '2026-11-23T08:00:00.000Z'],
    ['cron(0 0 1 JAN ? 2028)', '2028-01-01T00:00:00.000Z'],
    ['cron(0 0 L * ? *)', '2026-11-30T00:00:00.000Z'],
    ['cron(0 0 LW * ? *)', '2026-11-30T00:00:00.000Z'],
    ['cron(0 0 3W * ? *)', '2026-12-03T00:00:00.000Z'],
    ['cron(0 0 ? * L *)', '2026-11-28T00:00:00.000Z'],
    ['cron(0 0 ? * 6L *)', '2026-11-27T00:00:00.000Z'],
    ['cron(0 0 ? * FRI#2 *)', '2026-12-11T00:00:00.000Z'],
    ['cron(0 0 1 */2 ? 2027-2199/2)', '2027-01-01T00:00:00.000Z'],
    ['cron(0 0 1 jan ? *)', '2027-01-01T00:00:00.000Z'],
    ['rate(90 minutes)', '2026-11-21T13:30:00.000Z'],
    ['at(2026-12-01T10:00:00)', '2026-12-01T10:00:00.000Z'],
  ])('%s is next due at %s', (expression, expected) => {
    const due = compileExpression(expression, 'UTC', start)(start);
    expect(new Date(due ?? 0).toISOString()).toBe(expected);
  });

  it('a rate counts from the creation of the schedule, not from the query', () => {
    const timetable = compileExpression('rate(10 minutes)', 'UTC', start);
    expect(timetable(start + 61 * 60_000)).toBe(start + 70 * 60_000);
  });

  it('an expression keeps to its time zone', () => {
    const due = compileExpression('cron(0 9 * * ? *)', 'America/New_York', start)(start);
    expect(new Date(due ?? 0).toISOString()).toBe('2026-11-21T14:00:00.000Z');
  });

  it('runs once at a time that clocks show twice, and not at a time that they skip', () => {
    const next = compileExpression('cron(30 2 * * ? *)', 'Europe/Berlin', start);
    const runs = (from: string) => {
      const first = next(Date.parse(from)) ?? 0;
      return [first, next(first) ?? 0].map((time) => new Date(time).toISOString());
    };
    expect(runs('2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    expect(runs('2026-03-28T00:00:00Z')).toEqual(['2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  it('a one-time expression is over after its only time', () => {
    expect(compileExpression('at(2026-12-01T10:00:00)', 'UTC', start)(start + 1e11)).toBeUndefined();
  });

  it.each([
    'every(5 minutes)',
    'rate(5 moons)',
    'rate(0 minutes)',
    'cron(0 0 * * *)',
    'cron(0 0 1 * 1 *)',
    'at(x)',
    'at(2026-12-01T10:00:00Z)',
    'at(2026-12-01T10:00)',
    'rate(1.5 minutes)',
    'rate(1e1 minutes)',
    'rate(5 minutes more)',
    'cron(? 0 1 * ? *)',
    'cron(0 0 ? ? 1 *)',
    'cron(0 0 ? * 2/2 *)',
    'cron(0 0 ? * 3#1,6#3 *)',
    'cron(0 0 ? * 0 *)',
    'cron(0 0 1 * ? 1969)',
    'cron(0 0 1 * ? 2200)',
    'cron(0 0 ? * +1 *)',
    'cron(60 0 1 * ? *)',
    'cron(0 0 W * ? L)',
  ])('%s is refused', (expression) => {
    expect(() => compileExpression(expression, 'UTC', start)).toThrow();
  });
});
