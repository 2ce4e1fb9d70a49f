import { describe, expect, it } from 'vitest';
import { createAlarms, type AlarmDefinition } from '../../services/cloudwatch/alarms.ts';
import { createCloudWatch } from '../../services/cloudwatch/cloudwatch.ts';
import { compileExpression } from '../../services/cloudwatch/expression.ts';
import { createMetrics } from '../../services/cloudwatch/metrics.ts';

const MINUTE = 60_000;
const errors = { namespace: 'AWS/Lambda', name: 'Errors', dimensions: { FunctionName: 'f' } };

const alarmOf = (changes: Partial<AlarmDefinition> = {}): AlarmDefinition => ({
  name: 'an-alarm',
  description: 'Page: it burns',
  queries: [
    { id: 'a', returned: false, metric: { ...errors, statistic: 'Sum', periodSeconds: 300 } },
    { id: 'total', returned: true, expression: 'FILL(a, 0)' },
  ],
  comparison: 'GreaterThanThreshold',
  threshold: 2,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  missing: 'notBreaching',
  actions: { ALARM: ['topic'], OK: ['topic'], INSUFFICIENT_DATA: [] },
  ...changes,
});

describe('metric math', () => {
  const values: Readonly<Record<string, number>> = { a: 3, b: 4, zero: 0 };

  it.each([
    ['a', 3],
    ['a + b', 7],
    ['none', undefined],
    ['a + none', undefined],
    ['FILL(none, 0)', 0],
    ['FILL(a, 0) + FILL(none, 5)', 8],
    ['IF(FILL(none, 0) > 0, 0, FILL(a, 0) + b)', 7],
    ['IF(a > zero, b, a)', 4],
    ['IF(none > 0, 1, 2)', undefined],
  ])('%s is %s', (text, value) => {
    expect(compileExpression(text)((id) => values[id])).toBe(value);
  });

  it.each(['', 'a -b', 'a b', 'MAX(a, b)', 'FILL(a)', 'IF(a, b, c)', 'a +'])('%j is not known', (text) => {
    expect(() => compileExpression(text)).toThrow('is not known');
  });
});

describe('an alarm', () => {
  /** The states of an alarm at minutes, with errors at other minutes. */
  const statesOf = (alarm: AlarmDefinition, errorsAt: readonly number[], minutes: readonly number[]) => {
    const metrics = createMetrics();
    for (const at of errorsAt) metrics.put(errors, 1, at * MINUTE);
    const alarms = createAlarms([alarm], metrics);
    return minutes.map((minute) => {
      alarms.evaluate(minute * MINUTE);
      return alarms.stateOf('an-alarm');
    });
  };

  it('rings when the sum of the last period is above the threshold, and ends after it', () => {
    expect(statesOf(alarmOf(), [1, 2, 3], [2, 3, 5, 6])).toEqual(['OK', 'ALARM', 'ALARM', 'OK']);
  });

  it('rings only when each of its periods is above the threshold', () => {
    const alarm = alarmOf({ threshold: 0, evaluationPeriods: 3, datapointsToAlarm: 3 });
    expect(statesOf(alarm, [1, 6, 11], [11, 15])).toEqual(['ALARM', 'ALARM']);
    expect(statesOf(alarm, [1, 11], [11, 15])).toEqual(['OK', 'OK']);
    const some = { ...alarm, datapointsToAlarm: 2 };
    expect(statesOf(some, [1, 11], [11, 15])).toEqual(['ALARM', 'ALARM']);
  });

  it('compares the largest value of the period, if it asks for that', () => {
    const metric = { ...errors, statistic: 'Maximum', periodSeconds: 300 } as const;
    const queries = [{ id: 'a', returned: true, metric }];
    expect(statesOf(alarmOf({ queries }), [1, 1, 1], [2])).toEqual(['OK']);
    expect(statesOf(alarmOf({ queries, threshold: 0 }), [1], [2])).toEqual(['ALARM']);
  });

  it.each([
    ['notBreaching', 'OK'],
    ['breaching', 'ALARM'],
    ['ignore', 'ALARM'],
    ['missing', 'INSUFFICIENT_DATA'],
  ] as const)('whose missing data is %s is %s after a time without data', (missing, state) => {
    const metric = { ...errors, statistic: 'Sum', periodSeconds: 300 } as const;
    const alarm = alarmOf({ missing, queries: [{ id: 'a', returned: true, metric }] });
    expect(statesOf(alarm, [1, 1, 1], [2, 10])).toEqual(['ALARM', state]);
  });

  it('with metric math that nobody knows, or over a metric that is not its own, fails the start', () => {
    const math = (expression: string) => [{ id: 'total', returned: true, expression }];
    for (const expression of ['RATE(a)', 'FILL(other, 0)'])
      expect(() => createAlarms([alarmOf({ queries: math(expression) })], createMetrics())).toThrow();
  });
});

it('a change is published once, and time passes for alarms alone', () => {
  const messages: string[] = [];
  let sampled = 0;
  const watch = createCloudWatch({
    alarms: [alarmOf()],
    now: () => 0,
    sample: () => (sampled += 1),
    publish: (_, message) => void messages.push(message),
  });
  for (let n = 0; n < 3; n += 1) watch.put(errors, 1);
  watch.pass(120);
  expect([watch.stateOf('an-alarm'), sampled]).toEqual(['ALARM', 2]);
  expect(messages.map((message): unknown => JSON.parse(message))).toMatchObject([
    {
      AlarmName: 'an-alarm',
      AlarmDescription: 'Page: it burns',
      NewStateValue: 'ALARM',
      OldStateValue: 'OK',
    },
  ]);
  watch.pass(600);
  expect(messages).toHaveLength(2);
  expect(watch.stateOf('an-alarm')).toBe('OK');
});
