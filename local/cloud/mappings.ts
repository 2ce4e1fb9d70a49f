import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import type { Faults } from '../core/faults.ts';
import type { Strictness } from '../core/strictness.ts';
import type { Authority } from '../core/authority.ts';
import { startMapping, type Mapping } from '../services/lambda/mapping.ts';
import { realWidth, type Width } from '../services/lambda/pollers.ts';
import type { Runner } from '../services/lambda/runner.ts';
import type { Sqs } from '../services/sqs/sqs.ts';
import { findFunction } from './functions.ts';

/**
 * Concurrent batches per queue, unless the concurrency is real. One batch keeps two cores busy, because the gateway does half of the work. A second
 * worker costs more to warm up than it adds (measured: 10,000 rows take 7.9 s of CPU with one worker, 10.5 s with two).
 */
const MOST_BATCHES = 1;

/**
 * Concurrent batches per queue when deliveries are disturbed, so that two workers can process a duplicate at the same
 * time.
 */
const MOST_DISTURBED_BATCHES = 2;

export interface MappingParts {
  readonly deployment: Deployment;
  readonly sqs: Sqs;
  readonly runner: Runner;
  readonly authority: Authority;
  readonly faults?: Faults | undefined;
  readonly strictness: Strictness;
}

/** Polls every queue that the template maps to a function. */
export const startMappings = (parts: MappingParts): readonly Mapping[] =>
  parts.deployment.mappings
    .filter(({ properties }) => properties.Enabled)
    .map((mapping) => start(parts, mapping));

const start = (
  { deployment, sqs, runner, authority, faults, strictness }: MappingParts,
  mapping: DeployedOf<'mappings'>,
): Mapping => {
  const { properties, logicalId } = mapping;
  const queue = deployment.queues.find(({ attributes }) => attributes['Arn'] === properties.EventSourceArn);
  const target = findFunction(deployment, properties.FunctionName);
  if (!queue || !target) throw new Error(`${logicalId}: its queue or its function is missing`);
  const maximum = properties.ScalingConfig?.MaximumConcurrency;
  return startMapping({
    queue: sqs.queue(queue.name),
    functionName: target.name,
    batchSize: properties.BatchSize,
    windowMs: properties.MaximumBatchingWindowInSeconds * 1000,
    width: strictness.realConcurrency === undefined ? narrowWidth(faults, maximum) : realWidth(maximum),
    reportsFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    realVisibility: strictness.realVisibility === true,
    invoke: (event) => runner.invoke(target.name, event),
    authorize: (action) =>
      authority.requireRole(target.properties.Role, { action, resource: properties.EventSourceArn }),
  });
};

const narrowWidth = (faults: Faults | undefined, maximum = Infinity): Width => {
  const most = Math.min(faults ? MOST_DISTURBED_BATCHES : MOST_BATCHES, maximum);
  return { first: most, most };
};
