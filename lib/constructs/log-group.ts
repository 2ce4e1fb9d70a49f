import { RemovalPolicy } from 'aws-cdk-lib/core';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';

/**
 * A log group with a retention time of our own. CloudFormation deletes it with its stack in every stage. A log group that
 * stays would keep its name, and the stack could not be created again.
 */
export const serviceLogs = (scope: Construct, id: string, stage: Stage, logGroupName: string): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: stage.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
