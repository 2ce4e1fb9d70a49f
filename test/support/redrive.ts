import type { QueueTrigger } from '../../functions/entry.ts';
import type { DirectQueue } from '../../local/services/sqs/sqs.ts';
import { operate } from './operate.ts';
import type { TestService } from './service.ts';

/** The dead letters of a queue. */
export const deadLettersOf = ({ cloud }: TestService, queue: QueueTrigger['queue']): DirectQueue => {
  const { deployment, parts } = cloud;
  const found = deployment.queues.find(({ name }) => name.includes(`-${queue}-dead-letters`));
  if (!found) throw new Error(`${queue} has no dead letters`);
  return parts.storage.sqs.queue(found.name);
};

/** Redrives dead letters as the runbook says: with the operator's command. */
export const redrive = async (service: TestService, queue: QueueTrigger['queue']): Promise<void> => {
  const answer = await operate(service, { command: 'dead-letters.redrive', queue });
  if (answer === undefined) throw new Error(`the redrive of ${queue} failed`);
};
