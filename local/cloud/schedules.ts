import type { Deployment } from '../assembly/deployment.ts';
import type { ScheduledEntry, Scheduler } from '../services/scheduler/scheduler.ts';
import { targetsOf } from './definitions.ts';

/** Adds the schedules and scheduled rules of the template to the scheduler. */
export const addSchedules = (deployment: Deployment, scheduler: Scheduler, created: number): void => {
  for (const entry of [...schedulesOf(deployment, created), ...rulesOf(deployment, created)])
    scheduler.set(entry);
};

const schedulesOf = (deployment: Deployment, created: number): readonly ScheduledEntry[] =>
  deployment.schedules.map(({ name, attributes, properties }) => ({
    id: attributes['Arn'] ?? '',
    arn: attributes['Arn'] ?? '',
    name,
    kind: 'schedule',
    expression: properties.ScheduleExpression,
    timezone: properties.ScheduleExpressionTimezone,
    enabled: properties.State === 'ENABLED',
    created,
    input: properties.Target.Input,
    target: {
      arn: properties.Target.Arn,
      roleArn: properties.Target.RoleArn,
      groupId: properties.Target.SqsParameters?.MessageGroupId,
      deadLetters: properties.Target.DeadLetterConfig?.Arn,
    },
  }));

/** A rule with several targets becomes several entries with the same name. */
const rulesOf = (deployment: Deployment, created: number): readonly ScheduledEntry[] =>
  deployment.rules.flatMap((rule): ScheduledEntry[] => {
    const { ScheduleExpression, State } = rule.properties;
    if (ScheduleExpression === undefined) return [];
    return targetsOf(rule).map((target, index) => ({
      id: `${rule.attributes['Arn'] ?? ''}#${index}`,
      arn: rule.attributes['Arn'] ?? '',
      name: rule.name,
      kind: 'rule',
      expression: ScheduleExpression,
      timezone: 'UTC',
      enabled: State === 'ENABLED',
      created,
      target,
      input: target.input,
    }));
  });
