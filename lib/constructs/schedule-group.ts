import { Stack } from 'aws-cdk-lib/core';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { allow } from './grants.ts';
import { physicalName, type Reachable, type Service } from './service.ts';
import type { WorkQueue } from './work-queue.ts';

interface ScheduleGroupProps {
  readonly service: Service;
  readonly name: string;
  /** Where its schedules send. */
  readonly queue: WorkQueue;
}

/** Schedules that functions make for clients, and the role under which they send into one queue. */
export class ScheduleGroup extends Construct {
  /** Name of the group; ARN of all schedules in it. */
  readonly reachable: Reachable;
  readonly role: Reachable;

  constructor(scope: Construct, id: string, { service, name, queue }: ScheduleGroupProps) {
    super(scope, id);
    const groupName = physicalName(service.stage, name);
    const group = new CfnScheduleGroup(this, 'Group', { name: groupName });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      inlinePolicies: {
        sends: new PolicyDocument({ statements: [allow(['sqs:SendMessage'], [queue.queue.queueArn])] }),
      },
    });
    const resource = `schedule/${groupName}/*`;
    // By reference, so that there are no functions without the group that they put schedules in.
    this.reachable = { value: group.ref, arn: Stack.of(this).formatArn({ service: 'scheduler', resource }) };
    this.role = { value: role.roleArn, arn: role.roleArn };
  }
}
