/** Function schedules: rules that invoke functions at fixed times. */
import { Duration } from 'aws-cdk-lib/core';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import { acknowledgeScheduleDeadLetters } from '../config/nag-suppressions.ts';
import { allow } from './grants.ts';
import { entriesOf, physicalName, type NamedEntry, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

interface FunctionScheduleProps {
  readonly service: Service;
  readonly scheduled: NamedEntry<'schedule'>;
  readonly target: ServiceFunction;
  readonly key: IKey;
}

/** Invokes a function on a schedule. A dead-letter queue keeps events that were not delivered. */
class FunctionSchedule extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const name = physicalName(props.service.stage, props.scheduled.name);
    const { functionArn } = props.target.function;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      queueName: `${name}-dead-letters`,
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: props.key,
      enforceSSL: true,
      retentionPeriod: Duration.days(limits.queues.deadLetterDays),
    });
    acknowledgeScheduleDeadLetters(this.deadLetters);
    const calls = [
      allow(['lambda:InvokeFunction'], [functionArn]),
      allow(['sqs:SendMessage'], [this.deadLetters.queueArn]),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      inlinePolicies: { calls: new PolicyDocument({ statements: calls }) },
    });
    new CfnSchedule(this, 'Schedule', {
      name,
      description: props.scheduled.entry.summary,
      scheduleExpression: props.scheduled.trigger.expression,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: functionArn,
        roleArn: role.roleArn,
        retryPolicy: {
          maximumRetryAttempts: limits.schedules.retries,
          maximumEventAgeInSeconds: limits.schedules.maxAgeSeconds,
        },
        deadLetterConfig: { arn: this.deadLetters.queueArn },
      },
    });
  }
}

/** Adds the schedules of a stack's functions, as the manifest defines them. */
export const addFunctionSchedules = (
  scope: Construct,
  functions: ReadonlyMap<string, ServiceFunction>,
  { service, key }: Pick<FunctionScheduleProps, 'service' | 'key'>,
): void => {
  for (const scheduled of entriesOf(service.manifest, 'schedule')) {
    const target = functions.get(scheduled.name);
    if (target)
      new FunctionSchedule(scope, `Schedule-${scheduled.name}`, { service, scheduled, target, key });
  }
};
