/** Function schedules: schedules that invoke functions at fixed times. */
import { Duration } from 'aws-cdk-lib/core';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import { acknowledgeScheduleDeadLetters } from '../config/nag-suppressions.ts';
import { allow } from './grants.ts';
import { SCHEDULE_DEAD_LETTERS } from './queue-names.ts';
import { entriesOf, physicalName, type NamedEntry, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * The group of all schedules of functions, whose metrics one alarm watches, and their common dead-letter queue. It keeps
 * calls that Lambda did not accept, with the reason in their attributes. Nobody sends them back: the next call does the
 * work.
 */
export class FunctionSchedules extends Construct {
  readonly groupName: string;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { stage }: Service, key: IKey) {
    super(scope, id);
    this.groupName = new CfnScheduleGroup(this, 'Group', { name: physicalName(stage, 'functions') }).ref;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      queueName: physicalName(stage, SCHEDULE_DEAD_LETTERS),
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      enforceSSL: true,
      retentionPeriod: Duration.days(limits.queues.deadLetterDays),
    });
    acknowledgeScheduleDeadLetters(this.deadLetters);
  }
}

interface FunctionScheduleProps {
  readonly service: Service;
  readonly scheduled: NamedEntry<'schedule'>;
  readonly target: ServiceFunction;
  readonly schedules: FunctionSchedules;
}

/** Invokes a function on a schedule. */
const functionSchedule = (scope: Construct, props: FunctionScheduleProps): void => {
  const { groupName, deadLetters } = props.schedules;
  const own = new Construct(scope, `Schedule-${props.scheduled.name}`);
  const { functionArn } = props.target.function;
  const calls = [
    allow(['lambda:InvokeFunction'], [functionArn]),
    allow(['sqs:SendMessage'], [deadLetters.queueArn]),
  ];
  const role = new Role(own, 'Role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
    inlinePolicies: { calls: new PolicyDocument({ statements: calls }) },
  });
  new CfnSchedule(own, 'Schedule', {
    name: physicalName(props.service.stage, props.scheduled.name),
    groupName,
    description: props.scheduled.entry.summary,
    // Said in both cases: a deployment does not touch what its template leaves out.
    state: props.service.stage.closed ? 'DISABLED' : 'ENABLED',
    scheduleExpression: props.scheduled.trigger.expression,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: functionArn,
      roleArn: role.roleArn,
      retryPolicy: {
        maximumRetryAttempts: limits.schedules.retries,
        maximumEventAgeInSeconds: limits.schedules.maxAgeSeconds,
      },
      deadLetterConfig: { arn: deadLetters.queueArn },
    },
  });
};

/** Adds the schedules of a stack's functions, as the manifest defines them. */
export const addFunctionSchedules = (
  scope: Construct,
  functions: ReadonlyMap<string, ServiceFunction>,
  { service, schedules }: Pick<FunctionScheduleProps, 'service' | 'schedules'>,
): void => {
  for (const scheduled of entriesOf(service.manifest, 'schedule')) {
    const target = functions.get(scheduled.name);
    if (target) functionSchedule(scope, { service, scheduled, target, schedules });
  }
};
