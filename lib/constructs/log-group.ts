import { RemovalPolicy } from 'aws-cdk-lib/core';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * A log group with a retention time of our own. CloudFormation deletes it with its stack in every stage. A log group that
 * stays would keep its name, and the stack could not be created again.
 */
export const serviceLogs = (
  scope: Construct,
  id: string,
  retention: RetentionDays,
  logGroupName: string,
): LogGroup => new LogGroup(scope, id, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
