import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { attribute, functionOf, functions, only, synthesized } from './stacks.ts';

const stacks = synthesized('dev');
const { deployment } = stacks;
const consumers = functions.flatMap(([name, { trigger, timeoutSeconds }]) =>
  trigger.kind === 'queue' ? [{ name, trigger, timeoutSeconds }] : [],
);
const day = 86_400;

const queueNamed = (name: string) =>
  only(
    deployment.queues.filter((queue) => queue.name.replace(/\.fifo$/, '') === `tidemark-dev-${name}`),
    name,
  );

describe('queues', () => {
  it.each(consumers)(
    '$trigger.queue gives $name enough time and then keeps failed messages',
    ({ trigger, timeoutSeconds }) => {
      const queue = queueNamed(trigger.queue);
      const dead = queueNamed(`${trigger.queue}-dead-letters`);
      expect(queue.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * timeoutSeconds);
      expect(queue.properties.RedrivePolicy).toEqual({
        deadLetterTargetArn: attribute(dead, 'Arn'),
        maxReceiveCount: limits.queues.maxReceiveCount,
      });
      expect(limits.queues.maxReceiveCount).toBeGreaterThanOrEqual(5);
      expect(dead.properties.MessageRetentionPeriod).toBe(14 * day);
      expect(dead.properties.FifoQueue).toBe(queue.properties.FifoQueue);
    },
  );

  it.each(consumers)('$trigger.queue feeds $name in batches that may fail in part', ({ name, trigger }) => {
    const mapping = only(
      deployment.mappings.filter(
        ({ properties }) => properties.EventSourceArn === attribute(queueNamed(trigger.queue), 'Arn'),
      ),
      'its mappings',
    );
    expect(mapping.properties).toMatchObject({
      FunctionName: functionOf(stacks, name).name,
      BatchSize: trigger.batchSize,
      MaximumBatchingWindowInSeconds: trigger.windowSeconds ?? 0,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(mapping.properties.ScalingConfig?.MaximumConcurrency).toBe(trigger.maxConcurrency);
  });

  it('queues have no consumer beyond the manifest', () => {
    expect(deployment.mappings).toHaveLength(consumers.length);
  });

  it.each(deployment.queues.map((queue) => [queue.name, queue] as const))(
    '%s: is encrypted with our key and refuses plain connections',
    (_, queue) => {
      expect(queue.properties.KmsMasterKeyId).toMatch(/^arn:aws:kms:/);
      const statements = deployment.queuePolicies
        .filter(({ properties }) => properties.Queues.includes(queue.ref))
        .flatMap(({ properties }) => properties.PolicyDocument.Statement);
      const denied = statements.filter(({ Effect }) => Effect === 'Deny');
      expect(denied.map(({ Condition }) => Condition)).toContainEqual({
        Bool: { 'aws:SecureTransport': ['false'] },
      });
    },
  );

  it("the drain queue keeps the order of a group and trusts the senders' deduplication ids", () => {
    expect(queueNamed('drains').properties).toMatchObject({
      FifoQueue: true,
      ContentBasedDeduplication: false,
      FifoThroughputLimit: 'perMessageGroupId',
    });
  });

  it('the queue of file events receives an event for every new upload and no other event', () => {
    const rule = only(deployment.rules, 'the rules');
    const uploads = only(
      deployment.buckets.filter(({ name }) => name.startsWith('tidemark-dev-uploads')),
      'the upload buckets',
    );
    expect(rule.properties.EventPattern).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [uploads.name] }, object: { key: [{ prefix: 'uploads/' }] } },
    });
    const queue = queueNamed('fileEvents');
    expect(rule.properties.Targets.map(({ Arn }) => Arn)).toEqual([attribute(queue, 'Arn')]);
    const senders = deployment.queuePolicies
      .filter(({ properties }) => properties.Queues.includes(queue.ref))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow');
    expect(senders).toMatchObject([
      {
        Principal: { Service: ['events.amazonaws.com'] },
        Action: ['sqs:SendMessage'],
        Condition: { ArnEquals: { 'aws:SourceArn': [attribute(rule, 'Arn')] } },
      },
    ]);
  });
});
