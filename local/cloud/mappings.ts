import type { DeployedOf } from '../assembly/deployment.ts';
import type { Faults } from '../core/faults.ts';
import { startMapping, type Mapping } from '../services/lambda/mapping.ts';
import { realWidth, type Width } from '../services/lambda/pollers.ts';
import { findFunction } from './functions.ts';
import type { PartsInput } from './options.ts';
import type { PortParts } from './ports.ts';

/**
 * Concurrent batches per queue, unless the concurrency is real: one at first, and a second while the work lasts for more
 * than a second. A second worker costs time to warm up: 10,000 rows take as long with one as with two. With two, 60,000 rows
 * took 7 and 16 % less time, and 30,000 known rows 15 % less (measured in two pairs).
 */
const BATCHES: Width = { first: 1, most: 2 };

/** The same when deliveries are disturbed, so that two workers can process a duplicate at the same time. */
const DISTURBED_BATCHES: Width = { first: 2, most: 2 };

type MappingParts = PartsInput & PortParts;

/** Polls every queue that the template maps to a function. */
export const startMappings = (parts: MappingParts): readonly Mapping[] =>
  parts.deployment.mappings
    .filter(({ properties }) => properties.Enabled)
    .map((mapping) => start(parts, mapping));

const start = (
  { deployment, sqs, runner, authority, faults, strictness, firstReturnMs }: MappingParts,
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
    firstReturnMs,
    invoke: (event) => runner.invoke(target.name, event),
    authorize: (action) =>
      authority.requireRole(target.properties.Role, { action, resource: properties.EventSourceArn }),
  });
};

const narrowWidth = (faults: Faults | undefined, maximum = Infinity): Width => {
  const { first, most } = faults ? DISTURBED_BATCHES : BATCHES;
  return { first: Math.min(first, maximum), most: Math.min(most, maximum) };
};
