/** Log subscription: calls a function with lines of a log that another service writes. */
import { Aws } from 'aws-cdk-lib/core';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { LinesWhere } from '../../functions/entry.ts';
import { linePattern } from './log-metric.ts';
import type { ServiceFunction } from './service-function.ts';

interface LogSubscriptionProps {
  readonly name: string;
  readonly logGroup: LogGroup;
  readonly where: LinesWhere;
  readonly target: ServiceFunction;
}

/**
 * Calls a function with the lines of a log group that its trigger names. CloudWatch Logs calls it as an event, at least
 * once, and Lambda calls it twice more after an error.
 */
export const subscribe = ({ name, logGroup, where, target }: LogSubscriptionProps): void => {
  const { functionArn } = target.function;
  const permission = new CfnPermission(target, 'FromLogs', {
    action: 'lambda:InvokeFunction',
    functionName: functionArn,
    principal: 'logs.amazonaws.com',
    sourceArn: logGroup.logGroupArn,
    sourceAccount: Aws.ACCOUNT_ID,
  });
  const filter = new CfnSubscriptionFilter(logGroup, 'Subscription', {
    filterName: name,
    logGroupName: logGroup.logGroupName,
    filterPattern: linePattern(where),
    destinationArn: functionArn,
  });
  // CloudWatch Logs calls the function once before it makes the filter.
  filter.addResourceDependency(permission);
};
