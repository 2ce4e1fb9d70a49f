/** EventBridge schedules: creates and removes the schedules of exports. */
import { limits } from '../config/limits.ts';
import { isNamed } from './aws-errors.ts';
import { jsonAnswer } from './json-service.ts';
import type { Schedules } from './ports.ts';
import { signedService, type ServiceRequest, type SignedService } from './signed-service.ts';

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

let service: SignedService | undefined;

/** Sends a request about a schedule. An answer with the name of this error is a success. */
const send = async (name: string, request: Omit<ServiceRequest, 'path'>, success: string): Promise<void> => {
  service ??= signedService({ variable: 'SCHEDULER', name: 'scheduler' });
  try {
    await service.send({ path: `/schedules/${encodeURIComponent(name)}`, ...request }, jsonAnswer);
  } catch (error) {
    if (!isNamed(error, success)) throw error;
  }
};

/** Removes schedules of one group. */
export const scheduleRemover = (group: string): Pick<Schedules, 'remove'> => ({
  remove: async (name) => {
    const request = { method: 'DELETE', query: { groupName: group }, headers: {} } as const;
    await send(name, request, 'ResourceNotFoundException');
  },
});

/** Schedules of EventBridge Scheduler in one group, which send to one queue. */
export const schedules = ({ group, queueArn, deadLettersArn, roleArn }: ScheduleTarget): Schedules => {
  const { retries, maxAgeSeconds } = limits.schedules.sent;
  return {
    ...scheduleRemover(group),
    scheduledTime: '<aws.scheduler.scheduled-time>',
    create: async ({ name, expression, timezone, input, once }) => {
      const schedule = {
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
      };
      const body = Buffer.from(JSON.stringify(schedule));
      const headers = { 'content-type': 'application/json', 'content-length': String(body.byteLength) };
      await send(name, { method: 'POST', headers, body }, 'ConflictException');
    },
  };
};
