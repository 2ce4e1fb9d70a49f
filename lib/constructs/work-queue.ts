/** Work queue: the queue of one function, with its dead-letter queue and event source mapping. */
import { Duration } from 'aws-cdk-lib/core';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { ceilingOf, type Stage } from '../config/stages.ts';
import { isOrdered, workQueueName } from './queue-names.ts';
import { entriesOf, type NamedEntry, type Reachable, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

const fifo = {
  fifo: true,
  // Senders provide deduplication ids, because equal bodies are not duplicates.
  contentBasedDeduplication: false,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;

interface WorkQueueProps {
  readonly service: Service;
  readonly name: QueueTrigger['queue'];
  readonly key: IKey;
}

const consumerOf = ({ service, name }: WorkQueueProps): NamedEntry<'queue'> => {
  const consumers = entriesOf(service.manifest, 'queue').filter(({ trigger }) => trigger.queue === name);
  const [consumer] = consumers;
  if (consumer === undefined || consumers.length > 1)
    throw new Error(`The queue ${name} needs one consumer in the manifest, not ${consumers.length}`);

  return consumer;
};

/** A queue for one function of the manifest, with its dead-letter queue. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly reachable: Reachable;
  readonly #consumer: NamedEntry<'queue'>;
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.#consumer = consumerOf(props);
    const { stage } = props.service;
    this.#stage = stage;
    const common: QueueProps = {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: props.key,
      enforceSSL: true,
      ...(isOrdered(props.name) && fifo),
    };
    const retentionPeriod = Duration.days(limits.queues.deadLetterDays);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      queueName: workQueueName(stage, props.name, '-dead-letters'),
      retentionPeriod,
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      queueName: workQueueName(stage, props.name),
      retentionPeriod: Duration.days(limits.queues.retentionDays),
      visibilityTimeout: Duration.seconds(
        this.#consumer.entry.timeoutSeconds * limits.queues.visibilityFactor,
      ),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: limits.queues.maxReceiveCount },
    });
    this.reachable = { value: this.queue.queueUrl, arn: this.queue.queueArn };
  }

  /** Maps the queue to its consumer in the manifest. A batch may fail in part. */
  feed(consumers: ReadonlyMap<string, ServiceFunction>): void {
    const { name, trigger } = this.#consumer;
    const consumer = consumers.get(name);
    if (consumer === undefined) throw new Error(`${name} is not in the stack of its queue`);
    new CfnEventSourceMapping(this, 'Mapping', {
      eventSourceArn: this.queue.queueArn,
      functionName: consumer.function.functionName,
      batchSize: trigger.batchSize,
      // Said in both cases: a deployment does not touch what its template leaves out.
      enabled: !this.#stage.closed,
      functionResponseTypes: ['ReportBatchItemFailures'],
      ...(trigger.windowSeconds !== undefined && { maximumBatchingWindowInSeconds: trigger.windowSeconds }),
      ...(trigger.maxConcurrency !== undefined && {
        scalingConfig: { maximumConcurrency: ceilingOf(trigger.maxConcurrency, this.#stage) },
      }),
    });
  }
}
