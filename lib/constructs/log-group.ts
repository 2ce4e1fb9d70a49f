import { RemovalPolicy } from 'aws-cdk-lib/core';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';

/** A log group with a retention time of our own. Stages that keep data keep the log group too. */
export const serviceLogs = (scope: Construct, id: string, stage: Stage, logGroupName: string): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: stage.logRetention,
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
