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
  /** The queue that receives the messages of the schedules. */
  readonly queue: WorkQueue;
}

/**
 * The schedules that functions create for clients, and their role, which may send into one queue and into its dead
 * letters.
 */
export class ScheduleGroup extends Construct {
  /** Name of the group, and ARN of all its schedules. */
  readonly reachable: Reachable;
  readonly role: Reachable;

  constructor(scope: Construct, id: string, { service, name, queue }: ScheduleGroupProps) {
    super(scope, id);
    const groupName = physicalName(service.stage, name);
    const group = new CfnScheduleGroup(this, 'Group', { name: groupName });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      inlinePolicies: {
        sends: new PolicyDocument({
          statements: [allow(['sqs:SendMessage'], [queue.queue.queueArn, queue.deadLetters.queueArn])],
        }),
      },
    });
    const resource = `schedule/${groupName}/*`;
    // By reference, so that CloudFormation creates the group before the functions that use it.
    this.reachable = { value: group.ref, arn: Stack.of(this).formatArn({ service: 'scheduler', resource }) };
    this.role = { value: role.roleArn, arn: role.roleArn };
  }
}
