import { setTimeout as delay } from 'node:timers/promises';
import { deadLetterArns } from '../assembly/checks/storage.ts';
import type { Deployment } from '../assembly/deployment.ts';
import type { Parts } from './parts.ts';

const LOOK_EVERY_MS = 20;

/**
 * Resolves once the cloud is idle: no message waits or is in flight outside the dead-letter queues, and no function,
 * workflow or delivery runs. A workflow that waits runs, too, be it for days.
 */
export const untilIdle = async (deployment: Deployment, parts: Parts): Promise<void> => {
  const dead = deadLetterArns(deployment);
  const queues = deployment.queues
    .filter(({ attributes }) => !dead.has(attributes['Arn'] ?? ''))
    .map(({ name }) => parts.storage.sqs.queue(name));
  const isBusy = (): boolean =>
    parts.runner.running() + parts.engine.running() + parts.bus.busy() + parts.scheduler.busy() > 0 ||
    parts.transferLog.busy() > 0 ||
    parts.mappings.some((mapping) => mapping.busy() > 0) ||
    queues.some((queue) => {
      const { visible, inFlight, delayed } = queue.counts();
      return visible + inFlight + delayed > 0;
    });
  while (isBusy()) await delay(LOOK_EVERY_MS);
};
