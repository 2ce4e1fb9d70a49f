/** Sampler: reads the metrics that services do not tell of, each minute: queues, workflows and tables. */
import type { Deployment } from '../assembly/deployment.ts';
import type { Put } from '../services/cloudwatch/cloudwatch.ts';
import type { DynamoDb } from '../services/dynamodb/dynamodb.ts';
import type { Sqs } from '../services/sqs/sqs.ts';
import type { Execution, Ledger } from '../services/states/ledger.ts';

/** The services that are read. */
export interface Sampled {
  readonly sqs: Sqs;
  readonly ledger: Ledger;
  readonly table: DynamoDb;
}

/** Reads the services at a time. */
type Sampler = (services: Sampled, put: Put, time: number) => void;

/** The sampler of a deployment. It counts what happened since its last call; the first call counts no earlier execution. */
export const createSampler = (deployment: Deployment): Sampler => {
  const samplers = [queueSampler(deployment), workflowSampler(), tableSampler(deployment)];
  return (services, put, time) => {
    for (const sample of samplers) sample(services, put, time);
  };
};

const queueSampler = ({ queues }: Deployment): Sampler => {
  const deleted = new Map<string, number>();
  return ({ sqs }, put, time) => {
    for (const { name } of queues) {
      const queue = sqs.queue(name);
      const metric = (metricName: string) => ({
        namespace: 'AWS/SQS',
        name: metricName,
        dimensions: { QueueName: name },
      });
      const oldest = queue.oldest();
      if (oldest !== undefined)
        put(metric('ApproximateAgeOfOldestMessage'), Math.max(0, time - oldest) / 1_000);
      put(metric('ApproximateNumberOfMessagesVisible'), queue.counts().visible);
      const deletions = queue.deletions();
      put(metric('NumberOfMessagesDeleted'), deletions - (deleted.get(name) ?? 0));
      deleted.set(name, deletions);
    }
  };
};

const ends: Readonly<Partial<Record<Execution['status'], string>>> = {
  FAILED: 'ExecutionsFailed',
  TIMED_OUT: 'ExecutionsTimedOut',
  ABORTED: 'ExecutionsAborted',
};

const workflowSampler = (): Sampler => {
  let counted: Set<string> | undefined;
  return ({ ledger }, put) => {
    const ended = ledger.all().filter(({ status }) => status !== 'RUNNING');
    for (const { arn, machineArn, status } of counted ? ended : []) {
      const name = ends[status];
      if (name === undefined || counted?.has(arn) === true) continue;
      put({ namespace: 'AWS/States', name, dimensions: { StateMachineArn: machineArn } }, 1);
    }
    counted = new Set(ended.map(({ arn }) => arn));
  };
};

const tableSampler = ({ tables }: Deployment): Sampler => {
  /** The throttles already put, by table, metric and second: the load of the current second still grows. */
  const known = new Map<string, number>();
  const putNew = (put: Put, table: string, metric: string, second: number, count: number): void => {
    const key = `${table} ${metric} ${second}`;
    const added = count - (known.get(key) ?? 0);
    if (added <= 0) return;
    known.set(key, count);
    put({ namespace: 'AWS/DynamoDB', name: metric, dimensions: { TableName: table } }, added);
  };
  return ({ table }, put) => {
    for (const { name } of tables) {
      for (const { second, readThrottles, writeThrottles } of table.loads(name)) {
        putNew(put, name, 'ReadThrottleEvents', second, readThrottles);
        putNew(put, name, 'WriteThrottleEvents', second, writeThrottles);
      }
    }
  };
};
