import { describe, expect, it } from 'vitest';
import { importWorkersFor } from '../../lib/config/import-workers.ts';
import { ceilingOf, resolveStage } from '../../lib/config/stages.ts';
import { limits } from '../../shared/config/limits.ts';
import type { DeployedOf } from '../../local/assembly/deployment.ts';
import { attribute, functionOf, functions, grantsIn, only, synthesized } from './stacks.ts';

const stacks = synthesized('dev');
const { deployment } = stacks;
const consumers = functions.flatMap(([name, { trigger, timeoutSeconds }]) =>
  trigger.kind === 'queue' ? [{ name, trigger, timeoutSeconds }] : [],
);
const day = 86_400;

const queueNamed = (name: string) =>
  only(deployment.queues, name, (queue) => queue.name.replace(/\.fifo$/, '') === `tidemark-dev-${name}`);

/** The statements of the policies of a queue, by their effect. */
const statementsAbout = ({ ref }: DeployedOf<'queues'>, effect: 'Allow' | 'Deny') =>
  deployment.queuePolicies
    .filter(({ properties }) => properties.Queues.includes(ref))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === effect);

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
    const arn = attribute(queueNamed(trigger.queue), 'Arn');
    const mapping = only(
      deployment.mappings,
      'its mappings',
      ({ properties }) => properties.EventSourceArn === arn,
    );
    expect(mapping.properties).toMatchObject({
      FunctionName: functionOf(stacks, name).name,
      BatchSize: trigger.batchSize,
      MaximumBatchingWindowInSeconds: trigger.windowSeconds ?? 0,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    const most = trigger.maxConcurrency;
    expect(mapping.properties.ScalingConfig?.MaximumConcurrency).toBe(
      most === undefined ? undefined : ceilingOf(most, resolveStage('dev', {})),
    );
  });

  it.each([
    ['importBatches', { importExecutions: 12 }, 12],
    ['importBatches', { warmWriteUnits: 40_000 }, 9],
    ['drains', { drainExecutions: 30 }, 30],
  ])('the workers of %s follow the settings %j', (queue, given, workers) => {
    const { mappings } = synthesized('prod', { settings: given }).deployment;
    const found = mappings.filter(({ properties }) => properties.EventSourceArn.includes(queue));
    expect(found.map(({ properties }) => properties.ScalingConfig?.MaximumConcurrency)).toEqual([workers]);
  });

  it('prod has as many workers of imports as its warm table feeds', () => {
    const prod = synthesized('prod').deployment;
    const workers = prod.mappings.flatMap(({ properties: { EventSourceArn, ScalingConfig } }) =>
      EventSourceArn.includes('importBatches') ? [ScalingConfig?.MaximumConcurrency] : [],
    );
    expect(workers).toEqual([importWorkersFor(20_000)]);
  });

  it.each([
    // A mapping takes no less than two.
    [1, 2],
    [4_000, 2],
    [20_000, 5],
    [40_000, 9],
  ])('a table of %i write units is used by %i workers of imports', (units, workers) => {
    expect(importWorkersFor(units)).toBe(workers);
    const { rowsPerWorkerSecond, writeUnitsPerRow } = limits.imports;
    const used = rowsPerWorkerSecond * writeUnitsPerRow;
    expect(workers * used).toBeGreaterThanOrEqual(units);
    // One worker fewer would leave a part of the units idle.
    if (workers > 2) expect((workers - 1) * used).toBeLessThan(units);
  });

  it('an ordered queue delivers one message at a time: a failed one does not hold up its batch', () => {
    const ordered = consumers.filter(({ trigger }) => queueNamed(trigger.queue).properties.FifoQueue);
    expect(ordered.map(({ trigger }) => [trigger.queue, trigger.batchSize])).toEqual([['drains', 1]]);
  });

  it('a run of a client that Scheduler cannot send ends in the dead letters of its queue', () => {
    const arns = ['exportRuns', 'exportRuns-dead-letters'].map((name) => attribute(queueNamed(name), 'Arn'));
    const [runs, dead] = arns;
    expect(functionOf(stacks, 'reconcileTasks').properties.Environment.Variables).toMatchObject({
      EXPORT_RUNS_QUEUE_ARN: runs,
      EXPORT_RUNS_DEAD_LETTERS_ARN: dead,
    });
    const role = only(deployment.roles, 'the roles of clients', ({ logicalId }) =>
      logicalId.startsWith('SchedulesRole'),
    );
    expect(grantsIn(role).toSorted()).toEqual(arns.map((arn) => `sqs:SendMessage on ${arn}`).toSorted());
  });

  it('consumers take messages unless the stage is closed, and the template says which', () => {
    const enabled = (settings: object) =>
      synthesized('dev', { settings: { ...settings } })
        .ofType('AWS::Lambda::EventSourceMapping')
        .map(({ properties }) => properties['Enabled']);
    expect(enabled({})).toEqual(consumers.map(() => true));
    expect(enabled({ closed: true })).toEqual(consumers.map(() => false));
  });

  it('queues have no consumer beyond the manifest', () => {
    expect(deployment.mappings).toHaveLength(consumers.length);
  });

  it.each(deployment.queues.map((queue) => [queue.name, queue] as const))(
    '%s: is encrypted with our key and refuses plain connections',
    (_, queue) => {
      expect(queue.properties.KmsMasterKeyId).toMatch(/^arn:aws:kms:/);
      const denied = statementsAbout(queue, 'Deny');
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
    const rule = only(deployment.rules, 'the rules of files', ({ name }) => name !== 'tidemark-dev-keys');
    const uploads = only(deployment.buckets, 'the upload buckets', ({ name }) =>
      name.startsWith('tidemark-dev-uploads'),
    );
    expect(rule.properties.EventPattern).toEqual({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [uploads.name] }, object: { key: [{ prefix: 'uploads/' }] } },
    });
    const queue = queueNamed('fileEvents');
    expect(rule.properties.Targets.map(({ Arn }) => Arn)).toEqual([attribute(queue, 'Arn')]);
    expect(statementsAbout(queue, 'Allow')).toMatchObject([
      {
        Principal: { Service: ['events.amazonaws.com'] },
        Action: ['sqs:SendMessage'],
        Condition: { ArnEquals: { 'aws:SourceArn': [attribute(rule, 'Arn')] } },
      },
    ]);
  });
});
