import type { Metric } from './alarms.ts';

/** Metrics of AWS services, for alarms and the dashboard. */
export const functionMetric = (functionName: string, name: 'Errors'): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName },
});

/** The invocations of all functions of the account and region that Lambda refused. */
export const accountThrottles: Metric = { namespace: 'AWS/Lambda', name: 'Throttles', dimensions: {} };

export const queueMetric = (
  queueName: string,
  name: 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage' | 'NumberOfMessagesDeleted',
): Metric => ({ namespace: 'AWS/SQS', name, dimensions: { QueueName: queueName } });

export const workflowMetric = (
  arn: string,
  name:
    | 'ExecutionsFailed'
    | 'ExecutionsTimedOut'
    | 'ExecutionsAborted'
    | 'ExecutionsStarted'
    | 'ExecutionsSucceeded',
): Metric => ({ namespace: 'AWS/States', name, dimensions: { StateMachineArn: arn } });

export const apiMetric = (apiId: string, name: 'Count' | '4xx' | '5xx' | 'Latency'): Metric => ({
  namespace: 'AWS/ApiGateway',
  name,
  dimensions: { ApiId: apiId },
});

export const tableMetric = (
  tableName: string,
  name:
    'ConsumedReadCapacityUnits' | 'ConsumedWriteCapacityUnits' | 'WriteThrottleEvents' | 'ReadThrottleEvents',
): Metric => ({ namespace: 'AWS/DynamoDB', name, dimensions: { TableName: tableName } });

/** Events of a rule of the default bus that EventBridge lost: neither their target nor the dead letters took them. */
export const ruleMetric = (
  ruleName: string,
  name: 'FailedInvocations' | 'InvocationsFailedToBeSentToDlq',
): Metric => ({ namespace: 'AWS/Events', name, dimensions: { RuleName: ruleName } });

/** Calls of a group of schedules that EventBridge Scheduler gave up, or could not even keep as dead letters. */
export const scheduleMetric = (
  group: string,
  name: 'InvocationDroppedCount' | 'InvocationsFailedToBeSentToDeadLetterCount',
): Metric => ({ namespace: 'AWS/Scheduler', name, dimensions: { ScheduleGroup: group } });

/** The share of the account's mails that receivers refused or reported. */
export const mailMetric = (name: 'Reputation.BounceRate' | 'Reputation.ComplaintRate'): Metric => ({
  namespace: 'AWS/SES',
  name,
  dimensions: {},
});
