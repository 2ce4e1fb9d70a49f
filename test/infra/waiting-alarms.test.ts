import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { alarmNamed, consumers, countedBy, filtersOf, watchedBy } from './alarm-facts.ts';
import { functions } from './stacks.ts';

describe('alarms on work that waits', () => {
  it.each(consumers)('an alarm rings when messages of $trigger.queue are late', ({ trigger, alarm }) => {
    const queue = `tidemark-dev-${trigger.queue}${trigger.queue === 'drains' ? '.fifo' : ''}`;
    const name = `${trigger.queue}-age`;
    const age = `ApproximateAgeOfOldestMessage ${queue}`;
    const other =
      trigger.backlog === true
        ? `NumberOfMessagesDeleted ${queue}`
        : `${trigger.queue}CopiedSeconds the account`;
    expect(watchedBy(name)).toEqual([age, other]);
    expect(alarmNamed(name).AlarmDescription).toContain(alarm.impact);
    expect(alarmNamed(name).Threshold).toBe(900);
    const [total] = alarmNamed(name).Metrics.filter(({ Id }) => Id === 'total');
    expect(total?.Expression).toBe(
      trigger.backlog === true ? 'IF(FILL(done, 0) > 0, 0, FILL(a, 0))' : 'FILL(a, 0) + FILL(b, 0)',
    );
  });

  it.each(consumers)(
    'copies of $trigger.queue are late, too: no message is copied in silence',
    ({ name, trigger }) => {
      const metric = trigger.backlog === true ? 'PostponedSeconds' : `${trigger.queue}CopiedSeconds`;
      expect(filtersOf(metric)).toContainEqual({
        LogGroupName: `/aws/lambda/tidemark-dev-${name}`,
        FilterPattern: '{ $.code = "message.postponed" }',
        MetricTransformations: [
          { MetricNamespace: 'tidemark-dev-logs', MetricName: metric, MetricValue: '$.seconds' },
        ],
      });
    },
  );

  it('rows of a large file and questions to slow enrichers may wait; no other message may', () => {
    const patient = consumers.filter(({ trigger }) => trigger.backlog === true);
    expect(patient.map(({ trigger }) => trigger.queue).toSorted()).toEqual(['enrichments', 'importBatches']);
  });

  it('an alarm rings for messages that may wait, once they were copied for an hour, before they count as failed', () => {
    const { groups } = countedBy('postponed-age');
    const patient = consumers.filter(({ trigger }) => trigger.backlog === true);
    expect(groups).toEqual(patient.map(({ name }) => `/aws/lambda/tidemark-dev-${name}`).toSorted());
    const [query] = alarmNamed('postponed-age').Metrics;
    expect(query?.MetricStat?.Stat).toBe('Maximum');
    const { Threshold } = alarmNamed('postponed-age');
    expect(Threshold).toBeLessThan(limits.queues.busySeconds / 2);
  });

  it('an alarm rings for steps of every workflow that wait for busy services, long before they fail', () => {
    const { groups, patterns } = countedBy('postponed-steps');
    expect(patterns).toEqual(['{ $.code = "task.postponed" }']);
    const steps = functions.filter(([, { trigger }]) => trigger.kind === 'workflow');
    expect(groups).toEqual(steps.map(([name]) => `/aws/lambda/tidemark-dev-${name}`).toSorted());
    const { postponedStepSeconds, postponedStepPeriods } = limits.alarms;
    expect(postponedStepSeconds * postponedStepPeriods).toBeLessThan(3 * 3_600);
  });

  it('an alarm rings for a condition that is not ready after an hour', () => {
    const { groups, patterns } = countedBy('conditions-late');
    expect([groups, patterns]).toEqual([
      ['/aws/lambda/tidemark-dev-reconcileTasks'],
      ['{ $.code = "condition.waiting" }'],
    ]);
    const [metric] = filtersOf('ConditionSeconds').flatMap(
      ({ MetricTransformations }) => MetricTransformations,
    );
    expect(metric?.MetricValue).toBe('$.seconds');
    const { Metrics, Threshold } = alarmNamed('conditions-late');
    expect([Metrics[0]?.MetricStat?.Stat, Threshold]).toEqual(['Maximum', 3_600]);
  });
});
