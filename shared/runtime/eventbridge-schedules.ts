/** EventBridge schedules: creates and removes the schedules of exports. */
import { limits } from '../config/limits.ts';
import { clientOptions } from './aws-client.ts';
import { lateClient } from './late-client.ts';
import type { Schedules } from './ports.ts';
import { named, unless } from './unless.ts';

/** The group of the schedules, and the target of their messages. */
interface ScheduleTarget {
  readonly group: string;
  /** ARN of the queue that receives the messages. */
  readonly queueArn: string;
  /** ARN of the queue that keeps the messages that could not be sent. */
  readonly deadLettersArn: string;
  /** ARN of the role that sends the messages. */
  readonly roleArn: string;
}

const scheduler = lateClient(
  () => import('@aws-sdk/client-scheduler'),
  ({ SchedulerClient }) => new SchedulerClient(clientOptions('SCHEDULER')),
);

/** Removes schedules of one group. */
export const scheduleRemover = (group: string): Pick<Schedules, 'remove'> => ({
  remove: async (name) => {
    const { sdk, client } = await scheduler();
    const command = new sdk.DeleteScheduleCommand({ Name: name, GroupName: group });
    await unless(named('ResourceNotFoundException'), () => client.send(command));
  },
});

/** Schedules of EventBridge Scheduler in one group, which send to one queue. */
export const schedules = ({ group, queueArn, deadLettersArn, roleArn }: ScheduleTarget): Schedules => {
  const { retries, maxAgeSeconds } = limits.schedules.sent;
  return {
    ...scheduleRemover(group),
    scheduledTime: '<aws.scheduler.scheduled-time>',
    create: async ({ name, expression, timezone, input, once }) => {
      const { sdk, client } = await scheduler();
      const command = new sdk.CreateScheduleCommand({
        Name: name,
        GroupName: group,
        ScheduleExpression: expression,
        ScheduleExpressionTimezone: timezone,
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: once ? 'DELETE' : 'NONE',
        Target: {
          Arn: queueArn,
          RoleArn: roleArn,
          Input: input,
          RetryPolicy: { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: maxAgeSeconds },
          DeadLetterConfig: { Arn: deadLettersArn },
        },
      });
      await unless(named('ConflictException'), () => client.send(command));
    },
  };
};
