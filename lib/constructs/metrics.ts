import type { Metric } from './alarms.ts';

/** Metrics of AWS services, for alarms and the dashboard. */
export const functionMetric = (
  functionName: string,
  name: 'Errors' | 'Throttles' | 'Invocations',
): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName },
});

export const queueMetric = (
  queueName: string,
  name: 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage',
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
